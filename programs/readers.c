/* Two readers and a writer with a read-write lock: the readers do not exclude each other.
 * found: nothing
 * interleavings: 4
 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void *writer(void *unused) {
    pthread_rwlock_wrlock(&lock);
    first++;
    second++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *reader(void *unused) {
    pthread_rwlock_rdlock(&lock);
    assert(first == second);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, writer, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
