/* Two workers tell a third thread by a signal that they are done. It counts signals: two that come before it looks are one.
 * found: assertion
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t awaited;
static int done;

static void *count(void *unused) {
    int signal = 0;
    while (sigwait(&awaited, &signal) == 0 && signal != SIGTERM)
        done++;
    return unused;
}

static void *work(void *unused) {
    kill(getpid(), SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t counter, one, other;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGUSR1);
    sigaddset(&awaited, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &awaited, 0);
    pthread_create(&counter, 0, count, 0);
    pthread_create(&one, 0, work, 0);
    pthread_create(&other, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    pthread_kill(counter, SIGTERM);
    pthread_join(counter, 0);
    assert(done == 2);
    return 0;
}
