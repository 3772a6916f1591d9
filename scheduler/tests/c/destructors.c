/* Two threads that take a lock in the destructor of a key, one of which ends by pthread_exit: two traces. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static void at_end(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
}

static void *thread(void *argument) {
    pthread_setspecific(key, &lock);
    if (argument)
        pthread_exit(0);
    return 0;
}

int main(void) {
    pthread_t threads[2];
    pthread_key_create(&key, at_end);
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
