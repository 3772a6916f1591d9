/* N stores to one atomic variable, or to one each: N! traces, or one. */
#include "threads.h"
#include <stdatomic.h>

static atomic_int variables[N];

static void *store(void *argument) {
    atomic_store(&variables[DISJOINT ? (long)argument : 0], 1);
    return 0;
}

int main(void) {
    run_threads(store, N);
    return 0;
}
