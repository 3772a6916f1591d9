/* Each argument is what a thread does, two characters for each operation: a letter and the number of an object. After "." the
   program exits without waiting for them. */
#include <assert.h>
#include <pthread.h>
#include <linux/futex.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int VS_toss(int) __attribute__((weak));

#define OBJECTS 3

static pthread_mutex_t locks[OBJECTS];
static pthread_rwlock_t shared_locks[OBJECTS];
static pthread_cond_t conditions[OBJECTS];
static sem_t semaphores[OBJECTS];
static pthread_barrier_t barrier;
static volatile int variables[OBJECTS];
static atomic_int words[OBJECTS];

static int exchange(atomic_int *word, int from, int to) { return atomic_compare_exchange_strong(word, &from, to); }

static void wait(atomic_int *word, int expected) { syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, 0, 0, 0); }

/* A lock of a word, as the standard library of Rust has it: 0 is free, 1 is held, 2 is held and perhaps waited for. */
static void hold(atomic_int *word) {
    if (exchange(word, 0, 1))
        return;
    while (atomic_exchange(word, 2) != 0)
        wait(word, 2);
}

static void release(atomic_int *word) {
    if (atomic_exchange(word, 0) == 2)
        syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* The signals that are sent to the process. */
static const int signals[OBJECTS] = {SIGUSR1, SIGUSR2, SIGALRM};

/* Takes a signal if it is there, and this one or the first of all. */
static int take(int first, int last) {
    sigset_t set;
    struct timespec none = {0, 0};
    sigemptyset(&set);
    for (int i = first; i <= last; i++)
        sigaddset(&set, signals[i]);
    return sigtimedwait(&set, 0, &none) > 0;
}

static void block_signals(void) {
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < OBJECTS; i++)
        sigaddset(&set, signals[i]);
    pthread_sigmask(SIG_BLOCK, &set, 0);
}

static void *run(void *argument) {
    int value = 0;
    for (const char *at = argument; *at; at += 2) {
        int i = at[1] - '0';
        switch (at[0]) {
        case 'l': pthread_mutex_lock(&locks[i]); break;
        case 'u': pthread_mutex_unlock(&locks[i]); break;
        case 't': if (pthread_mutex_trylock(&locks[i]) == 0) pthread_mutex_unlock(&locks[i]); break;
        case 'R': pthread_rwlock_rdlock(&shared_locks[i]); break;
        case 'W': pthread_rwlock_wrlock(&shared_locks[i]); break;
        case 'U': pthread_rwlock_unlock(&shared_locks[i]); break;
        case 'p': sem_post(&semaphores[i]); break;
        case 'w': sem_wait(&semaphores[i]); break;
        case 'y': sem_trywait(&semaphores[i]); break;
        case 'c': pthread_mutex_lock(&locks[i]); pthread_cond_wait(&conditions[i], &locks[i]); pthread_mutex_unlock(&locks[i]); break;
        case 's': pthread_cond_signal(&conditions[i]); break;
        case 'b': pthread_cond_broadcast(&conditions[i]); break;
        case 'B': pthread_barrier_wait(&barrier); break;
        case 'r': value = variables[i]; break;
        case 'v': variables[i] = value + 1; break;
        case 'h': hold(&words[i]); break;
        case 'f': release(&words[i]); break;
        case 'e': value = exchange(&words[i], 0, 1); break;
        case 'd': value = exchange(&words[i], 1, 0); break;
        case 'g': value = atomic_fetch_add(&words[i], 1); break;
        case 'o': value = atomic_load(&words[i]); break;
        case 'z': atomic_store(&words[i], 0); break;
        case 'Z': *(volatile int *)&words[i] = 0; break;
        case 'E': value = atomic_exchange(&words[i], 0); break;
        case 'X': value = atomic_exchange(&words[i], 1); break;
        case 'q': wait(&words[i], 0); break;
        case 'Q': wait(&words[i], 1); break;
        case 'k': syscall(SYS_futex, &words[i], FUTEX_WAKE_PRIVATE, 1, 0, 0, 0); break;
        case 'n': kill(getpid(), signals[i]); break;
        case 'm': pthread_kill(pthread_self(), signals[i]); break;
        case 'j': value = take(i, i); break;
        case 'J': value = take(0, OBJECTS - 1); break;
        case 'x': value = VS_toss(i); break;
        case 'i': if (value == 0) at += 2; break;
        case 'a': assert(value != 2); break;
        }
    }
    return 0;
}

int main(int count, char **arguments) {
    int waits = strcmp(arguments[count - 1], ".") != 0;
    count -= !waits;
    pthread_t threads[count];
    block_signals();
    for (int i = 0; i < OBJECTS; i++) {
        pthread_mutex_init(&locks[i], 0);
        pthread_rwlock_init(&shared_locks[i], 0);
        pthread_cond_init(&conditions[i], 0);
        sem_init(&semaphores[i], 0, i);
    }
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 1; i < count; i++)
        pthread_create(&threads[i], 0, run, arguments[i]);
    for (int i = 1; i < count && waits; i++)
        pthread_join(threads[i], 0);
    return 0;
}
