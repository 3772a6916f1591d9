/* Threads that look the same after each turn of a loop, where their accesses to memory are not visible. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int is_set, items = 1;

static void *run(void *argument) {
#ifdef FLAG
    is_set = 1;
#else
    for (int is_left = 1; is_left;) {
        pthread_mutex_lock(&mutex);
        is_left = items > 0;
        items -= is_left;
        pthread_mutex_unlock(&mutex);
    }
#endif
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, run, 0);
#ifdef FLAG
    while (!is_set)
        sched_yield();
#else
    pthread_create(&threads[1], 0, run, 0);
    pthread_join(threads[1], 0);
#endif
    pthread_join(threads[0], 0);
    assert(is_set || items == 0);
    return 0;
}
