/* A barrier of three: one trace. */
#include "threads.h"

static pthread_barrier_t barrier;

static void *wait(void *unused) {
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void) {
    pthread_barrier_init(&barrier, 0, 3);
    run_threads(wait, 3);
    return 0;
}
