/* A philosopher who shares forks with others by a key: `philosopher NUMBER COUNT`. The first one lays the table. */
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/sem.h>

static int forks;

static void change(int number, int by) {
    struct sembuf operation = {number, by, 0};
    semop(forks, &operation, 1);
}

int main(int count, char **arguments) {
    if (count != 3)
        return 1;
    int number = atoi(arguments[1]), all = atoi(arguments[2]);
    forks = semget(1997, all, IPC_CREAT | 0600);
    if (number == 0)
        for (int i = 0; i < all; i++)
            semctl(forks, i, SETVAL, 1);
    change(number, -1);
    change((number + 1) % all, -1);
    change(number, 1);
    change((number + 1) % all, 1);
    return 0;
}
