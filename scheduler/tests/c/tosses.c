/* Two threads, each of which tosses one of three values before a critical section: 3 * 3 * 2 traces, of which two are wrong. */
#include <pthread.h>
#include <uwbmc.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *thread(void *unused) {
    int value = VS_toss(2);
    pthread_mutex_lock(&lock);
    sum += value;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, thread, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    VS_assert(sum < 4);
    return 0;
}
