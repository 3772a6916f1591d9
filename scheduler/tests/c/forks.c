/* A thread that creates a process with two threads of its own, beside another one: two orders in each process. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused) {
    pthread_mutex_lock(&lock);
    count++;
    pthread_mutex_unlock(&lock);
    return unused;
}

static void twice(void *(*first)(void *)) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, first, 0);
    pthread_create(&threads[1], 0, add, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(count == 2);
}

static void *create(void *unused) {
    pid_t child = fork();
    if (child == 0) {
        count = 0;
        twice(add);
        exit(0);
    }
    waitpid(child, NULL, 0);
    return add(unused);
}

int main(void) {
    twice(create);
    return 0;
}
