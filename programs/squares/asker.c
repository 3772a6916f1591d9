/* Asks for the squares of some numbers, one after the other, and checks the answers: `asker FIRST LAST`. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **arguments) {
    if (count != 3)
        return 1;
    for (int number = atoi(arguments[1]); number <= atoi(arguments[2]); number++) {
        int answer;
        printf("%d\n", number);
        fflush(stdout);
        if (scanf("%d", &answer) != 1)
            return 1;
        assert(answer == number * number);
    }
    return 0;
}
