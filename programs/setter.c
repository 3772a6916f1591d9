/* A hundred threads write to two variables, one after the other; a last one checks that they fit together. It fails if
 * the check comes when the first write has happened and no second one.
 * found: assertion
 * accesses: visible
 */
#include <assert.h>
#include <pthread.h>

#define SETTERS 100

static volatile int a, b;

static void *set(void *unused) {
    a = 1;
    b = -1;
    return unused;
}

static void *check(void *unused) {
    assert((a == 0 && b == 0) || (a == 1 && b == -1));
    return unused;
}

int main(void) {
    pthread_t threads[SETTERS + 1];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&threads[i], NULL, set, NULL);
    pthread_create(&threads[SETTERS], NULL, check, NULL);
    for (int i = 0; i <= SETTERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
