/* Loops that look the same after each turn, but have an effect that another thread needs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int stop, counter;
static int expected = 5;
static volatile int toggled;
static _Atomic(volatile int *) shown;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int is_late(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_nsec > 3000;
}

static void *turn(void *argument) {
    volatile int local = 0;
    atomic_store(&shown, &local);
    while (!atomic_load(&stop)) {
#if defined COUNTS
        atomic_fetch_add(&counter, 1);
#elif defined SIGNALS
        toggled = 1;
        toggled = 0;
#elif defined LOCKED
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
#elif defined TAKES
        pthread_mutex_trylock(&mutex);
#elif defined SHOWN
        local = 1;
        local = 0;
#elif defined EXPECTED
        /* The first one fails, and leaves what it has found where the next one looks. */
        assert(!atomic_compare_exchange_strong(&counter, &expected, 7));
#elif defined TIMED
        assert(!is_late());
#endif
    }
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, turn, 0);
#if defined COUNTS
    int has_noticed = atomic_load(&counter) == 3;
#elif defined SIGNALS
    int has_noticed = toggled;
#elif defined LOCKED
    int has_noticed = pthread_mutex_trylock(&mutex) != 0;
    if (!has_noticed)
        pthread_mutex_unlock(&mutex);
#elif defined SHOWN
    volatile int *local = atomic_load(&shown);
    int has_noticed = local && *local;
#else
    int has_noticed = 0;
#endif
    atomic_store(&stop, 1);
    pthread_join(thread, 0);
    /* The thread has left its loop after a turn that this one has noticed. */
    assert(!has_noticed);
#ifdef TAKES
    assert(pthread_mutex_trylock(&mutex) == 0);
#endif
    return 0;
}
