// Each of two threads adds what the other has to what it has, ROUNDS times. Only if they alternate, addition by addition, does the main
// thread, which does not wait for them, see as much as GREATEST.
#include <assert.h>
#include <pthread.h>

static volatile int mine = 1, yours = 1;

static void *add_yours(void *unused) {
    for (int i = 0; i < ROUNDS; i++) mine += yours;
    return unused;
}

static void *add_mine(void *unused) {
    for (int i = 0; i < ROUNDS; i++) yours += mine;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, add_yours, 0);
    pthread_create(&threads[1], 0, add_mine, 0);
    assert(mine < GREATEST && yours < GREATEST);
    return 0;
}
