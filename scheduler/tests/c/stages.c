/* N threads set two numbers, each under a lock of its own; another one looks at both. It is wrong only if it comes after one of them has set
   the first, and before any has set the second. Locks are taken by a function for all of them. With ALIKE the threads are created at one place. */
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 99
#endif

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int numbers[2];

static void __attribute__((noinline)) take(int which) {
    pthread_mutex_lock(&locks[which]);
}

static void __attribute__((noinline)) give(int which) {
    pthread_mutex_unlock(&locks[which]);
}

static void *set(void *unused) {
    for (int which = 0; which < 2; which++) {
        take(which);
        numbers[which] = which + 1;
        give(which);
    }
    return unused;
}

static void *look(void *unused) {
    int seen[2];
    for (int which = 0; which < 2; which++) {
        take(which);
        seen[which] = numbers[which];
        give(which);
        if (seen[0] == 0)
            return unused;
    }
    assert(seen[1] == 2);
    return unused;
}

int main(void) {
    pthread_t threads[N + 1];
#ifdef ALIKE
    static void *(*const tasks[2])(void *) = {set, look};
    for (volatile int i = 0; i <= N; i++)
        pthread_create(&threads[i], 0, tasks[i == N], 0);
#else
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], 0, set, 0);
    pthread_create(&threads[N], 0, look, 0);
#endif
    for (int i = 0; i <= N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
