/* N threads with R critical sections each: (NR)! / (R!)^N traces. */
#include "threads.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *enter(void *unused) {
    for (int i = 0; i < R; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    run_threads(enter, N);
    return 0;
}
