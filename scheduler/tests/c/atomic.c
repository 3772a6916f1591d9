/* Each argument is what a thread does: "(" and ")" begin and end an atomic section, a small letter loads one of the variables a and b, a
   capital one stores a value that no other place stores. The program exits with a number that stands for what was loaded and is left. With
   FUNCTION a section is what a function does that is executed in one step. */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void) __attribute__((weak));
void __VERIFIER_atomic_end(void) __attribute__((weak));

static atomic_int variables[2];
static int loaded[4];
static char **scripts;

static int execute(long thread, int place, int *sum);

#ifdef FUNCTION
FUNCTION int __VERIFIER_atomic_section(long thread, int place, int *sum) {
    return execute(thread, place, sum);
}
#define SECTION __VERIFIER_atomic_section
#else
static int SECTION(long thread, int place, int *sum) {
    __VERIFIER_atomic_begin();
    place = execute(thread, place, sum);
    __VERIFIER_atomic_end();
    return place;
}
#endif

/* Executes operations up to the end of the section or of the script; where that is. */
static int execute(long thread, int place, int *sum) {
    for (; scripts[thread][place] && scripts[thread][place] != ')'; place++) {
        char what = scripts[thread][place];
        switch (what) {
        case '(': place = SECTION(thread, place + 1, sum); break;
        case 'a': case 'b': *sum = *sum * 3 + atomic_load(&variables[what - 'a']); break;
        default: atomic_store(&variables[what - 'A'], 16 * (int)thread + place + 1);
        }
    }
    return place;
}

static void *run(void *argument) {
    long thread = (long)argument;
    int sum = 0;
    execute(thread, 0, &sum);
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
