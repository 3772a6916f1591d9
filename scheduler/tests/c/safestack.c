// A stack of indices in an array, after D. Vyukov: a thread takes the link of the first item away before it takes the
// item, so that others wait. Two of three threads get the same item if they are interrupted five times at the right places.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { ITEMS = 3, THREADS = 3, ROUNDS = 2, NONE = -1 };

static struct {
    volatile int user;
    atomic_int next;
} item[ITEMS];

static atomic_int first, left = ITEMS;

static int pop(void) {
    while (atomic_load(&left) > 1) {
        int mine = atomic_load(&first);
        int next = atomic_exchange(&item[mine].next, NONE);
        if (next == NONE) continue;
        int expected = mine;
        if (atomic_compare_exchange_strong(&first, &expected, next)) {
            atomic_fetch_sub(&left, 1);
            return mine;
        }
        atomic_exchange(&item[mine].next, next);
    }
    return NONE;
}

static void push(int mine) {
    int below = atomic_load(&first);
    do atomic_store(&item[mine].next, below);
    while (!atomic_compare_exchange_strong(&first, &below, mine));
    atomic_fetch_add(&left, 1);
}

static void *use(void *number) {
    int me = (int)(long)number;
    for (int round = 0; round < ROUNDS; round++) {
        int mine;
        while ((mine = pop()) == NONE) {
        }
        item[mine].user = me;
        assert(item[mine].user == me);
        push(mine);
    }
    return 0;
}

int main(void) {
    pthread_t thread[THREADS];
    for (int i = 0; i < ITEMS; i++) atomic_store(&item[i].next, i + 1 < ITEMS ? i + 1 : NONE);
    for (long i = 0; i < THREADS; i++) pthread_create(&thread[i], 0, use, (void *)i);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], 0);
    return 0;
}
