/* Loops that look the same after each turn, but have an effect that another thread needs. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int stop, counter;
static int expected = 5;
static volatile int toggled;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static __attribute__((noinline)) int is_late(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_nsec > 3000;
}

static void *turn(void *argument) {
    while (!atomic_load(&stop)) {
#if defined COUNTS
        atomic_fetch_add(&counter, 1);
#elif defined SIGNALS
        toggled = 1;
        toggled = 0;
#elif defined LOCKED
        pthread_mutex_lock(&mutex);
        pthread_mutex_unlock(&mutex);
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
    assert(atomic_load(&counter) < 3);
#elif defined SIGNALS
    assert(!toggled);
#elif defined LOCKED
    assert(pthread_mutex_trylock(&mutex) == 0);
    pthread_mutex_unlock(&mutex);
#endif
    atomic_store(&stop, 1);
    pthread_join(thread, 0);
    return 0;
}
