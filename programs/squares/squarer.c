/* Answers each number with its square, until there are no more. Standard output is kept in a buffer if it is no terminal:
 * `squarer` forgets to write it, `squarer flush` does not. */
#include <stdio.h>

int main(int count, char **arguments) {
    int number;
    (void)arguments;
    while (scanf("%d", &number) == 1) {
        printf("%d\n", number * number);
        if (count > 1)
            fflush(stdout);
    }
    return 0;
}
