/* One writer and N readers of a variable: 2^N traces. */
#include "threads.h"

static int shared;

static void *access(void *argument) {
    long i = (long)argument;
    if (i == N)
        shared = 1;
    else
        i = shared;
    return (void *)i;
}

int main(void) {
    run_threads(access, N + 1);
    return 0;
}
