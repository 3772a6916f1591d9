/* Each argument is what a thread does, two characters for each operation: a letter and the number of an object. Most of them wait in
   loops. What the threads have seen is in the code that the program exits with. After "." it exits without waiting for them. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

#define OBJECTS 3
#define MOST 3

static pthread_mutex_t locks[OBJECTS];
static atomic_int words[OBJECTS], turns;
static volatile int seen[MOST];

struct thread {
    const char *script;
    int number;
};

static void *run(void *argument) {
    struct thread *thread = argument;
    for (const char *at = thread->script; *at; at += 2) {
        int i = at[1] - '0', expected = 0;
        switch (at[0]) {
        case '1': atomic_store(&words[i], 1); break;
        case '0': atomic_store(&words[i], 0); break;
        case 'a': while (atomic_load(&words[i]) == 0); break;
        case 'z': while (atomic_load(&words[i]) != 0) sched_yield(); break;
        case 'x': while (atomic_exchange(&words[i], 1)); break;
        case 'c': while (!atomic_compare_exchange_strong(&words[i], &expected, 1)) expected = 0; break;
        case 't': while (pthread_mutex_trylock(&locks[i])) sched_yield(); break;
        case 'u': pthread_mutex_unlock(&locks[i]); break;
        case 'b': while (atomic_load(&words[0]) == 0 && atomic_load(&words[1]) == i); break;
        case 'p':
            for (int is_set = 0; !is_set;) {
                pthread_mutex_lock(&locks[i]);
                is_set = atomic_load(&words[i]);
                pthread_mutex_unlock(&locks[i]);
            }
            break;
        case 'g': seen[thread->number] = seen[thread->number] * 2 + atomic_load(&words[i]); break;
        case 'o': seen[thread->number] = seen[thread->number] * 3 + atomic_fetch_add(&turns, 1); break;
        }
    }
    return 0;
}

int main(int count, char **arguments) {
    int waits = arguments[count - 1][0] != '.';
    pthread_t threads[MOST];
    struct thread *all = calloc(MOST, sizeof *all);
    count -= !waits;
    for (int i = 1; i < count; i++) {
        all[i - 1] = (struct thread){arguments[i], i - 1};
        pthread_create(&threads[i - 1], 0, run, &all[i - 1]);
    }
    for (int i = 1; i < count && waits; i++)
        pthread_join(threads[i - 1], 0);
    return (seen[0] + 17 * seen[1] + 89 * seen[2]) % 251;
}
