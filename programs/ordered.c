/* Dining philosophers: the last one takes the right fork first, so that no philosopher starves.
 * found: nothing
 * interleavings: 6
 */
#include <pthread.h>
#include <stdio.h>

#define N 3

static pthread_mutex_t fork_of[N];

static void *philosopher(void *argument) {
    long i = (long)argument;
    long first = i < N - 1 ? i : 0, second = i < N - 1 ? i + 1 : i;
    pthread_mutex_lock(&fork_of[first]);
    pthread_mutex_lock(&fork_of[second]);
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
