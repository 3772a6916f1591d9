/* Two processes that send a number to and fro over two pipes.
 * found: nothing
 * interleavings: 1
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 3

static int there[2], back[2];

static void pong(void) {
    char number;
    close(there[1]);
    close(back[0]);
    while (read(there[0], &number, 1) == 1) {
        number++;
        if (write(back[1], &number, 1) != 1)
            break;
    }
    exit(0);
}

int main(void) {
    char number = 0;
    if (pipe(there) || pipe(back))
        return 1;
    pid_t child = fork();
    if (child == 0)
        pong();
    close(there[0]);
    close(back[1]);
    for (int i = 0; i < ROUNDS; i++) {
        if (write(there[1], &number, 1) != 1 || read(back[0], &number, 1) != 1)
            return 1;
    }
    assert(number == ROUNDS);
    close(there[1]);
    waitpid(child, NULL, 0);
    return 0;
}
