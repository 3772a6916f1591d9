/* Peterson's algorithm for N threads, with a level for each but the last. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int level[N], last[N];
static int inside;

static int must_wait(int me, int l) {
    if (atomic_load(&last[l]) != me)
        return 0;
    for (int other = 0; other < N; other++)
        if (other != me && atomic_load(&level[other]) >= l)
            return 1;
    return 0;
}

static void *run(void *argument) {
    int me = (int)(long)argument;
    for (int l = 1; l < N; l++) {
#ifdef WRONG
        atomic_store(&last[l], me);
        atomic_store(&level[me], l);
#else
        atomic_store(&level[me], l);
        atomic_store(&last[l], me);
#endif
        while (must_wait(me, l));
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&level[me], 0);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
