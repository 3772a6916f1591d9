/* Philosophers who leave by pthread_exit, for which the C library loads another library under a lock of its own. */
#include <pthread.h>

static pthread_mutex_t forks[N];

static void *philosopher(void *argument) {
    long i = (long)argument;
    pthread_mutex_lock(&forks[i]);
    pthread_mutex_lock(&forks[(i + 1) % N]);
    pthread_mutex_unlock(&forks[i]);
    pthread_mutex_unlock(&forks[(i + 1) % N]);
    pthread_exit(0);
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], 0, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    return 0;
}
