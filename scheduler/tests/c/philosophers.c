/* N philosophers, each of whom takes the left fork first: 2^N - 1 traces, one of them the deadlock. */
#include <pthread.h>

static pthread_mutex_t fork_of[N];

static void *philosopher(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&fork_of[i]);
    pthread_mutex_lock(&fork_of[(i + 1) % N]);
    pthread_mutex_unlock(&fork_of[i]);
    pthread_mutex_unlock(&fork_of[(i + 1) % N]);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork_of[i], 0);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
