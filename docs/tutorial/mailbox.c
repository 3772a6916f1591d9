/* Two clients send a letter each, and two postmen take one each. The box has room for one letter. */
#include <pthread.h>
#include <uwbmc.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int letters;

static void *client(void *unused) {
    pthread_mutex_lock(&lock);
    while (letters == 1)
        pthread_cond_wait(&changed, &lock);
    letters++;
    VS_assert(letters == 1);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *postman(void *unused) {
    pthread_mutex_lock(&lock);
    while (letters == 0)
        pthread_cond_wait(&changed, &lock);
    letters--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, i < 2 ? postman : client, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
