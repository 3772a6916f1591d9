/* Two processes close the ends of a pipe while the first one writes to it, or (-DPOLLS) reads it without waiting. The exit code says what
 * came of each attempt. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    int ends[2], outcome = 0;
    char byte = 'x';
    signal(SIGPIPE, SIG_IGN);
    if (pipe2(ends, O_NONBLOCK))
        return 100;
    for (int child = 0; child < 2; child++) {
        if (fork() == 0) {
#ifdef POLLS
            close(ends[0]);
            if (child == 1 && write(ends[1], &byte, 1) != 1)
                _exit(1);
            close(ends[1]);
#else
            close(ends[1]);
            close(ends[0]);
#endif
            _exit(0);
        }
    }
#ifdef POLLS
    close(ends[1]);
    for (int i = 0; i < 3; i++)
        outcome = outcome * 3 + 1 + (int)read(ends[0], &byte, 1);
#else
    close(ends[0]);
    for (int i = 0; i < 2; i++)
        outcome = outcome * 3 + 1 + (int)write(ends[1], &byte, 1);
#endif
    while (wait(0) > 0) {
    }
    return outcome;
}
