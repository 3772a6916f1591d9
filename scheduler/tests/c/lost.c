/* The check and the wait are two critical sections: three traces, in one of which the signal comes between them and is lost. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_set = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    int waits = !ready;
    pthread_mutex_unlock(&lock);
    if (waits) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&is_set, &lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *setter(void *unused) {
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&is_set);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, waiter, 0);
    pthread_create(&threads[1], 0, setter, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
