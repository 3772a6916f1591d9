/* Dining philosophers: everybody takes the left fork first.
 * found: deadlock
 * interleavings: 7
 */
#include <pthread.h>
#include <stdio.h>

#define N 3

static pthread_mutex_t fork_of[N];

static void *philosopher(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&fork_of[i]);
    pthread_mutex_lock(&fork_of[(i + 1) % N]);
    printf("philosopher %ld eats\n", i);
    pthread_mutex_unlock(&fork_of[i]);
    pthread_mutex_unlock(&fork_of[(i + 1) % N]);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_of[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
