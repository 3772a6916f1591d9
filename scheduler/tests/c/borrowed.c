/* A thread waits for what another one writes to its stack. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct answer {
    atomic_int value, is_there;
};

static void *run(void *argument) {
    struct answer *answer = argument;
    atomic_store(&answer->value, 5);
    atomic_store(&answer->is_there, 1);
    return 0;
}

int main(void) {
    struct answer answer = {0, 0};
    pthread_t thread;
    pthread_create(&thread, 0, run, &answer);
    while (!atomic_load(&answer.is_there));
    assert(atomic_load(&answer.value) == 5);
    pthread_join(thread, 0);
    return 0;
}
