/* Two threads ask for the same static, as compilers of C++ have them do it: one by code whose accesses are visible, the other by code whose
   accesses are not. The program exits with the number of the one that initialises it. */
#include <assert.h>
#include <pthread.h>

int __cxa_guard_acquire(long long *);
void __cxa_guard_release(long long *);
void __cxa_guard_abort(long long *);

static long long guard;
static int first;

/* With ABORTED the first try fails. */
static int initialises(int who) {
#ifdef ABORTED
    static int has_failed;
    if (!has_failed) {
        has_failed = 1;
        __cxa_guard_abort(&guard);
        return 0;
    }
#endif
    first = who;
    __cxa_guard_release(&guard);
    return 1;
}

static void *visible(void *unused) {
    while (!__atomic_load_n((char *)&guard, __ATOMIC_ACQUIRE) && __cxa_guard_acquire(&guard))
        if (initialises(1))
            break;
    return unused;
}

__attribute__((no_sanitize("thread"))) static void *hidden(void *unused) {
    while (!*(volatile char *)&guard && __cxa_guard_acquire(&guard))
        if (initialises(2))
            break;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, visible, 0);
    pthread_create(&other, 0, hidden, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    /* Who comes later is told that it is there: by the byte, or when asking. */
    assert(__atomic_load_n((char *)&guard, __ATOMIC_ACQUIRE));
    visible(0);
    hidden(0);
    return first;
}
