/* A transfer locks each account for itself: the sum is wrong in between.
 * found: assertion
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int savings = 100, checking = 0;

static void *transfer(void *unused) {
    pthread_mutex_lock(&lock);
    savings -= 10;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    checking += 10;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *audit(void *unused) {
    pthread_mutex_lock(&lock);
    assert(savings + checking == 100);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, transfer, NULL);
    pthread_create(&threads[1], NULL, audit, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
