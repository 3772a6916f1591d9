/* A condition variable with a loop around the wait: two traces. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t is_set = PTHREAD_COND_INITIALIZER;
static int ready;

static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&is_set, &lock);
    pthread_mutex_unlock(&lock);
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
