/* A controller of a robot's arm, after the kind of fault that section 5 of [God97] tells of. The operator gives a target and
 * then a speed. A motor that sees the new target together with the old speed never arrives: its loop has no operation
 * that others could see, and the operator waits for it.
 * found: divergence
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int target, speed, position;

static int get(int *value) {
    pthread_mutex_lock(&lock);
    int copy = *value;
    pthread_mutex_unlock(&lock);
    return copy;
}

static void set(int *value, int wanted) {
    pthread_mutex_lock(&lock);
    *value = wanted;
    pthread_mutex_unlock(&lock);
}

static void *motor(void *unused) {
    int goal = get(&target), step = get(&speed), at = 0;
    while (at < goal)
        at += step;
    pthread_mutex_lock(&lock);
    position = at;
    pthread_cond_signal(&arrived);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, motor, NULL);
    set(&target, 90);
    set(&speed, 30);
    pthread_join(thread, NULL);
    return 0;
}
