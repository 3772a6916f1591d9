/* Store buffering: three traces under sequential consistency. */
#include "threads.h"
#include <stdatomic.h>

static atomic_int flags[2];

static void *move(void *argument) {
    long i = (long)argument;
    atomic_store(&flags[i], 1);
    return (void *)(long)atomic_load(&flags[1 - i]);
}

int main(void) {
    run_threads(move, 2);
    return 0;
}
