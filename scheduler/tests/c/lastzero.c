/* N threads that each write what their neighbour has plus one, and one that looks for the last zero:
   (N + 3) 2^(N - 2) traces. */
#include "threads.h"

static volatile int array[N + 1];

static void *move(void *argument) {
    long i = (long)argument;
    if (i > 0) {
        array[i] = array[i - 1] + 1;
    } else {
        int last = N;
        while (array[last] != 0)
            last--;
    }
    return 0;
}

int main(void) {
    run_threads(move, N + 1);
    return 0;
}
