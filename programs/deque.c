/* A work-stealing deque: its owner takes from one end, thieves from the other. The owner looks at the other end before
 * it has said that it takes the last task, so that a thief can have the same one.
 * accesses: visible
 * found: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 3

static atomic_int head, tail, done[TASKS];
static pthread_mutex_t thieves = PTHREAD_MUTEX_INITIALIZER;

static int take(void) {
    int last = tail - 1;
    if (head > last)
        return -1;
    tail = last;
    return last;
}

static int steal(void) {
    int task = -1;
    pthread_mutex_lock(&thieves);
    if (head < tail) {
        task = head;
        head = task + 1;
    }
    pthread_mutex_unlock(&thieves);
    return task;
}

static void *thief(void *unused) {
    int task = steal();
    if (task >= 0)
        done[task]++;
    return unused;
}

int main(void) {
    pthread_t thread;
    tail = TASKS;
    pthread_create(&thread, NULL, thief, NULL);
    for (int task = take(); task >= 0; task = take())
        done[task]++;
    pthread_join(thread, NULL);
    for (int task = 0; task < TASKS; task++)
        assert(done[task] == 1);
    return 0;
}
