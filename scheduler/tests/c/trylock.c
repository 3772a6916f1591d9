/* N threads that try to lock once. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *try(void *unused) {
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    run_threads(try, N);
    return 0;
}
