/* Two clients and a server with a queue of messages of System V. The server takes the first request for that of the
 * first client.
 * found: assertion
 */
#include <assert.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
    long type;
    int client;
};

static int queue;

static void client(int number) {
    struct message request = {1, number}, answer;
    msgsnd(queue, &request, sizeof request.client, 0);
    msgrcv(queue, &answer, sizeof answer.client, 2 + number, 0);
    assert(answer.client == number);
    exit(0);
}

int main(void) {
    queue = msgget(IPC_PRIVATE, 0600);
    for (int i = 0; i < 2; i++)
        if (fork() == 0)
            client(i);
    for (int i = 0; i < 2; i++) {
        struct message request;
        msgrcv(queue, &request, sizeof request.client, 1, 0);
        struct message answer = {2 + i, request.client};
        msgsnd(queue, &answer, sizeof answer.client, 0);
    }
    while (wait(NULL) > 0)
        ;
    msgctl(queue, IPC_RMID, NULL);
    return 0;
}
