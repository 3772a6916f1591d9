/* Threads that put four words each into a hash table by compare-and-swap: 8^(N - 11) traces. */
#include "threads.h"
#include <stdatomic.h>

#define SIZE 128
#define WORDS 4

static atomic_int table[SIZE];

static void *insert(void *argument) {
    for (int word = 1; word <= WORDS; word++) {
        int value = word * 11 + (int)(long)argument, place = value * 7 % SIZE, free_place = 0;
        while (!atomic_compare_exchange_strong(&table[place], &free_place, value)) {
            free_place = 0;
            place = (place + 1) % SIZE;
        }
    }
    return 0;
}

int main(void) {
    run_threads(insert, N);
    return 0;
}
