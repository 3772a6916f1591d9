/* Threads that lock, wait and toss, and whose program now and then writes over the memory that it shares with what controls it:
   random SEED FIRST LAST: random words of a range; flip MOMENT INDEX: a bit of that word; word MOMENT INDEX VALUE: another value;
   object MOMENT CLASS FIELD VALUE: a word of the state of the first object of a class. What else it does is fine, unless the last
   argument says "crossed": then the threads can wait for each other for ever. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/msg.h>
#include <sys/wait.h>
#include <unistd.h>

int VS_toss(int) __attribute__((weak));

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static sem_t done;
static volatile int count, is_crossed, moment;
static volatile unsigned long *region;
static char **words;
static unsigned long state;

/* The region is the file of this name that is mapped to be shared. */
static void find_region(void) {
    static char text[1 << 16];
    int file = open("/proc/self/maps", O_RDONLY);
    size_t length = 0;
    for (long got; (got = read(file, text + length, sizeof text - 1 - length)) > 0;)
        length += (size_t)got;
    close(file);
    for (char *line = strtok(text, "\n"); line; line = strtok(0, "\n"))
        if (strstr(line, "/region"))
            region = (volatile unsigned long *)strtoul(line, 0, 16);
}

static unsigned long number(int index) { return strtoul(words[index], 0, 0); }

static unsigned long chance(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state >> 8;
}

static void write_at_random(void) {
    unsigned long index = number(3) + chance() % (number(4) - number(3));
    switch (chance() % 5) {
    case 0: region[index] = chance() << 32 ^ chance(); break;
    case 1: region[index] = chance() % 8; break;
    case 2: region[index] ^= 1UL << chance() % 64; break;
    case 3: region[index] += 1; break;
    case 4: region[index] = region[number(3) + chance() % (number(4) - number(3))]; break;
    }
}

/* Objects are 8 words each, in a table from FIRST_OBJECT on: the run, the class, the address, and three words of state. */
static void write_object(void) {
    unsigned long run = region[13];
    for (volatile unsigned long *at = region + FIRST_OBJECT; at < region + FIRST_OBJECT + 8 * (1 << 14); at += 8)
        if (*at == run && (at[1] & 0xff) == number(3)) {
            at[number(4)] = number(5);
            return;
        }
}

static void go_astray(void) {
    moment++;
    if (!region || !words[1] || !words[2])
        return;
    if (!strcmp(words[1], "random")) {
        if (chance() % 6 == 0)
            write_at_random();
    } else if ((unsigned long)moment != number(2)) {
        return;
    } else if (!strcmp(words[1], "word")) {
        region[number(3)] = number(4);
    } else if (!strcmp(words[1], "flip")) {
        region[number(3)] ^= 2;
    } else {
        write_object();
    }
}

static void *work(void *argument) {
    int is_second = argument != 0 && is_crossed;
    go_astray();
    pthread_mutex_lock(is_second ? &other : &one);
    go_astray();
    pthread_mutex_lock(is_second ? &one : &other);
    count++;
    go_astray();
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&one);
    pthread_rwlock_rdlock(&table);
    go_astray();
    pthread_rwlock_unlock(&table);
    sem_post(&done);
    return 0;
}

/* The 12th moment is the one at which the message waits. */
static void pass_message(void) {
    struct { long kind; char text[16]; } sent = {3, "fifteen letters"}, received;
    int queue = msgget(IPC_PRIVATE, 0600);
    msgsnd(queue, &sent, sizeof sent.text, 0);
    go_astray();
    assert(msgrcv(queue, &received, sizeof received.text, 0, 0) == sizeof received.text);
    assert(received.kind == 3 && !strcmp(received.text, sent.text));
}

int main(int argc, char **argv) {
    static int second;
    pthread_t threads[2];
    words = argv;
    is_crossed = !strcmp(argv[argc - 1], "crossed");
    find_region();
    if (argc > 1 && !strcmp(argv[1], "random"))
        state = number(2) * 2654435761UL + 1;
    sem_init(&done, 0, 0);
    pthread_create(&threads[0], 0, work, 0);
    go_astray();
    pthread_create(&threads[1], 0, work, &second);
    go_astray();
    int tossed = VS_toss(2);
    assert(tossed >= 0 && tossed <= 2);
    sem_wait(&done);
    go_astray();
    sem_wait(&done);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(count == 2);
    pass_message();
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    go_astray();
    int status = 1;
    assert(waitpid(child, &status, 0) == child && status == 0);
    return 0;
}
