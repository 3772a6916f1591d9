/* Two threads add to a counter without a lock.
 * found: assertion
 * accesses: visible
 */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *add(void *unused) {
    counter = counter + 1;
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, add, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(counter == 2);
    return 0;
}
