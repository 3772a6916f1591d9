/* Each of two threads tosses a three-sided coin and writes down what it gave; one outcome is claimed not to happen.
 * found: assertion
 * interleavings: 18
 */
#include <pthread.h>
#include <uwbmc.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int outcome[2], count;

static void *toss(void *unused) {
    int value = VS_toss(2);
    pthread_mutex_lock(&lock);
    outcome[count++] = value;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, toss, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    VS_assert(!(outcome[0] == 2 && outcome[1] == 1));
    return 0;
}
