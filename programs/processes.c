/* Dining philosophers as processes that share semaphores of System V, as in [God97].
 * found: deadlock
 * interleavings: 7
 */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef N
#define N 3
#endif

static int forks;

static void change(int number, int by) {
    struct sembuf operation = {number, by, 0};
    semop(forks, &operation, 1);
}

static void philosopher(int i) {
    change(i, -1);
    change((i + 1) % N, -1);
    change(i, 1);
    change((i + 1) % N, 1);
    exit(0);
}

int main(void) {
    pid_t children[N];
    forks = semget(IPC_PRIVATE, N, 0600);
    for (int i = 0; i < N; i++)
        semctl(forks, i, SETVAL, 1);
    for (int i = 0; i < N; i++) {
        children[i] = fork();
        if (children[i] == 0)
            philosopher(i);
    }
    for (int i = 0; i < N; i++)
        waitpid(children[i], NULL, 0);
    return 0;
}
