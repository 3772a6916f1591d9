/* A producer and a consumer of two items, with two semaphores: one trace. */
#include <pthread.h>
#include <semaphore.h>

static sem_t room, items;

static void *producer(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&room);
        sem_post(&items);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (int i = 0; i < 2; i++) {
        sem_wait(&items);
        sem_post(&room);
    }
    return unused;
}

int main(void) {
    pthread_t threads[2];
    sem_init(&room, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&threads[0], 0, producer, 0);
    pthread_create(&threads[1], 0, consumer, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
