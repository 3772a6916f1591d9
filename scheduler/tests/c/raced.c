/* Two threads write a variable at first, which is a data race, and then lock as often as ROUNDS says. With LATE they write another one, too, each if the
   other has locked before its last time, which is not so in the first run. */
#include <pthread.h>

static volatile int raced, late, last;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Who locked before the last time. */
static int go_on(int who) {
    int before = 0;
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        if (LATE) {
            before = last;
            last = who;
        }
        pthread_mutex_unlock(&lock);
    }
    return before;
}

static void *first(void *unused) {
    raced = 1;
    if (go_on(1) == 2)
        late = 1;
    return unused;
}

static void *second(void *unused) {
    raced = 2;
    if (go_on(2) == 1)
        late = 2;
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, first, 0);
    pthread_create(&other, 0, second, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    return 0;
}
