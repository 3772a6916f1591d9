/* N threads that run one function each with its number. */
#include <pthread.h>

static void run_threads(void *(*function)(void *), int count) {
    pthread_t threads[count];
    for (long i = 0; i < count; i++)
        pthread_create(&threads[i], 0, function, (void *)i);
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], 0);
}
