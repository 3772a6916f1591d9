/* Three threads, each of which looks whether it is one: 3! traces, of the order in which they take the lock. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#define N 3

/* How numbers are rounded, as the processor has it. */
#define UPWARD 0x5f80u
#define DOWNWARD 0x3f80u

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static __thread long own = 7;
static long values[N], numbers[N], stacks[N];
static char large[1 << 16] __attribute__((aligned(4096)));
static int ended;

static void at_end(void *value) {
    ended++;
    assert(*(long *)value == 40 + own);
}

static unsigned rounding(void) {
    return __builtin_ia32_stmxcsr() & 0x6000;
}

static void *thread(void *argument) {
    long i = (long)argument;
    char filled[4096];
    assert(own == 7 && pthread_getspecific(key) == NULL);
    assert(rounding() == (UPWARD & 0x6000));
    if (i == 0)
        __builtin_ia32_ldmxcsr(DOWNWARD);
    memset(filled, (int)i, sizeof filled);
    own = i;
    errno = (int)i + 100;
    values[i] = i + 40;
    pthread_setspecific(key, &values[i]);
    numbers[i] = gettid();
    stacks[i] = (long)filled;
    pthread_mutex_lock(&lock);
    assert(own == i && errno == (int)i + 100 && pthread_getspecific(key) == &values[i]);
    assert(rounding() == ((i == 0 ? DOWNWARD : UPWARD) & 0x6000));
    for (unsigned at = 0; at < sizeof filled; at++)
        assert(filled[at] == i);
    pthread_mutex_unlock(&lock);
    assert(own == i);
    if (i == 1)
        pthread_exit((void *)(i + 10));
    return (void *)(i + 10);
}

int main(void) {
    pthread_t threads[N];
    pthread_attr_t attributes;
    pthread_key_create(&key, at_end);
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, large, sizeof large);
    __builtin_ia32_ldmxcsr(UPWARD);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], i == 2 ? &attributes : NULL, thread, (void *)i);
    for (int i = 0; i < N; i++) {
        void *result;
        pthread_join(threads[i], &result);
        assert((long)result == i + 10);
    }
    assert(ended == N && rounding() == (UPWARD & 0x6000));
    assert(numbers[0] != numbers[1] && numbers[1] != numbers[2] && numbers[0] != numbers[2]);
    assert(numbers[0] != getpid() && own == 7);
    assert(stacks[2] >= (long)large && stacks[2] < (long)(large + sizeof large));
    return 0;
}
