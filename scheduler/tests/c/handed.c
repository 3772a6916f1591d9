/* Two processes hand a word over that they share: one waits until the other has exchanged it. */
#include <assert.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int exchange(atomic_int *word, int from, int to) { return atomic_compare_exchange_strong(word, &from, to); }

int main(void) {
    atomic_int *word = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (fork() == 0) {
        exchange(word, 0, 1);
        syscall(SYS_futex, word, FUTEX_WAKE, 1, 0, 0, 0);
        _exit(0);
    }
    while (atomic_load(word) == 0)
        syscall(SYS_futex, word, FUTEX_WAIT, 0, 0, 0, 0);
    assert(exchange(word, 1, 2));
    wait(0);
    assert(atomic_load(word) == 2);
}
