/* A program that executes itself with a pipe open, whose end to write by it closes by that, or does not (-DOPTIONS=0). What it has
 * become waits for a word that comes after the end of the pipe. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef OPTIONS
#define OPTIONS O_CLOEXEC
#endif

static int become(void) {
    char byte;
    assert(read(100, &byte, 1) == 1);
    return 0;
}

int main(int count, char **arguments) {
    int pipe_to_end[2], word[2];
    char byte;
    if (count > 1)
        return become();
    assert(!pipe2(pipe_to_end, OPTIONS) && !pipe(word));
    pid_t child = fork();
    if (child == 0) {
        dup2(word[0], 100);
        execl("/proc/self/exe", arguments[0], "become", NULL);
        return 1;
    }
    close(pipe_to_end[1]);
    assert(read(pipe_to_end[0], &byte, 1) == 0);
    assert(write(word[1], "x", 1) == 1);
    waitpid(child, NULL, 0);
    return 0;
}
