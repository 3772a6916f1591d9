/* Five philosophers, one of whom takes the right fork first, who eat MEALS times. */
#include <pthread.h>

#define N 5

static pthread_mutex_t fork_of[N];

static void *philosopher(void *argument) {
    long i = (long)argument;
    int first = i < N - 1 ? i : 0, second = i < N - 1 ? i + 1 : N - 1;
    for (int meal = 0; meal < MEALS; meal++) {
        pthread_mutex_lock(&fork_of[first]);
        pthread_mutex_lock(&fork_of[second]);
        pthread_mutex_unlock(&fork_of[first]);
        pthread_mutex_unlock(&fork_of[second]);
    }
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
