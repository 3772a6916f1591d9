/* A bounded buffer of one item. The consumer looks whether there is an item, gives the lock back, and only then waits:
 * the signal in between is lost.
 * found: deadlock
 * interleavings: 3
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *unused) {
    pthread_mutex_lock(&lock);
    int is_empty = items == 0;
    pthread_mutex_unlock(&lock);
    if (is_empty) {
        pthread_mutex_lock(&lock);
        pthread_cond_wait(&filled, &lock);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *producer(void *unused) {
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, consumer, NULL);
    pthread_create(&threads[1], NULL, producer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
