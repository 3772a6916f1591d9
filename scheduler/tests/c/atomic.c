/* Each argument is what a thread does: "(" and ")" begin and end an atomic section, a small letter loads one of the variables a and b, a
   capital one stores a value that no other place stores. The program exits with a number that stands for what was loaded and is left. */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void) __attribute__((weak));
void __VERIFIER_atomic_end(void) __attribute__((weak));

static atomic_int variables[2];
static int loaded[4];
static char **scripts;

static void *run(void *argument) {
    long thread = (long)argument;
    int sum = 0;
    for (int place = 0; scripts[thread][place]; place++) {
        char what = scripts[thread][place];
        switch (what) {
        case '(': __VERIFIER_atomic_begin(); break;
        case ')': __VERIFIER_atomic_end(); break;
        case 'a': case 'b': sum = sum * 3 + atomic_load(&variables[what - 'a']); break;
        default: atomic_store(&variables[what - 'A'], 16 * (int)thread + place + 1);
        }
    }
    loaded[thread] = sum;
    return 0;
}

int main(int count, char **arguments) {
    pthread_t threads[4];
    int sum = 0;
    scripts = arguments + 1;
    for (long i = 0; i < count - 1; i++)
        pthread_create(&threads[i], 0, run, (void *)i);
    for (int i = 0; i < count - 1; i++)
        pthread_join(threads[i], 0);
    for (int i = 0; i < count - 1; i++)
        sum = sum * 5 + loaded[i];
    return (sum * 49 + atomic_load(&variables[0]) * 7 + atomic_load(&variables[1])) & 255;
}
