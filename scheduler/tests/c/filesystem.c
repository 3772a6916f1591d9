/* A file system in which threads take an inode and then a free block, each with its mutex: 2^(N - 13) traces. */
#include "threads.h"

#define BLOCKS 26
#define INODES 32

static pthread_mutex_t inode_lock[INODES], block_lock[BLOCKS];
static int inode[INODES], busy[BLOCKS];

static void *create(void *argument) {
    int i = (int)(long)argument % INODES;
    pthread_mutex_lock(&inode_lock[i]);
    for (int block = i * 2 % BLOCKS; inode[i] == 0; block = (block + 1) % BLOCKS) {
        pthread_mutex_lock(&block_lock[block]);
        if (!busy[block]) {
            busy[block] = 1;
            inode[i] = block + 1;
        }
        pthread_mutex_unlock(&block_lock[block]);
    }
    pthread_mutex_unlock(&inode_lock[i]);
    return 0;
}

int main(void) {
    for (int i = 0; i < INODES; i++)
        pthread_mutex_init(&inode_lock[i], 0);
    for (int i = 0; i < BLOCKS; i++)
        pthread_mutex_init(&block_lock[i], 0);
    run_threads(create, N);
    return 0;
}
