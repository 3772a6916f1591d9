/* Locks that wait in loops, one for each macro; KEPT ones are not given back. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int word, next, serving, first, second;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside, tries;

static int take(void) {
#if defined TAS
    while (atomic_exchange(&word, 1));
#elif defined TTAS
    for (;;) {
        while (atomic_load(&word)) sched_yield();
#ifdef WRONG
        atomic_store(&word, 1);
        break;
#else
        if (!atomic_exchange(&word, 1)) break;
#endif
    }
#elif defined CAS
    int expected = 0;
    while (!atomic_compare_exchange_strong(&word, &expected, 1)) expected = 0;
#elif defined TICKET
    int mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine);
#elif defined TRY
    while (pthread_mutex_trylock(&mutex)) {
#ifdef LIMITED
        if (++tries > 20) return 0;
#endif
#ifdef RANDOM
        if (rand() % 4 == 0) return 0;
#endif
        sched_yield();
    }
#elif defined COUNTED
    int turns = 0;
    while (atomic_exchange(&word, 1))
        if (++turns > 3) return 0;
#endif
    return 1;
}

static void give_back(void) {
#ifndef KEPT
    atomic_store(&word, 0);
    atomic_fetch_add(&serving, 1);
#ifdef TRY
    pthread_mutex_unlock(&mutex);
#endif
#endif
}

#ifdef SEQUENCE
/* A writer makes the number odd while it writes. */
static void *run(void *argument) {
    for (int i = 1; i <= 2; i++) {
        atomic_fetch_add(&word, 1);
        atomic_store(&first, i);
        atomic_store(&second, i);
        atomic_fetch_add(&word, 1);
    }
    return 0;
}

static void look(void) {
    int before, one, other;
    do {
        while ((before = atomic_load(&word)) & 1);
        one = atomic_load(&first);
        other = atomic_load(&second);
#ifdef WRONG
    } while (0);
#else
    } while (atomic_load(&word) != before);
#endif
    assert(one == other);
}
#else
static void look(void) {}

static void *run(void *argument) {
    if (take()) {
#if !defined KEPT
        inside++;
        assert(inside == 1);
        inside--;
#endif
        give_back();
    }
    return 0;
}
#endif

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, run, 0);
    look();
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
