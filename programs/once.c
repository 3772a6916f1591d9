/* Double-checked locking with a plain flag that is set too early: the second thread sees it before the value is there.
 * found: assertion
 * accesses: visible
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_ready, value;

static int get(void) {
    if (!is_ready) {
        pthread_mutex_lock(&lock);
        if (!is_ready) {
            is_ready = 1;
            value = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    return value;
}

static void *user(void *unused) {
    assert(get() == 42);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
