/* A producer and a consumer, with a buffer of two and two semaphores.
 * found: nothing
 * interleavings: 1
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t empty, full;

static void *producer(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&empty);
        sem_post(&full);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&full);
        sem_post(&empty);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&empty, 0, 2);
    sem_init(&full, 0, 0);
    pthread_create(&threads[0], NULL, producer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
