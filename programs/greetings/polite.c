/* Greets another program by the socket that is descriptor 3: `polite after` when it has been greeted, `polite first` before that. */
#include <string.h>
#include <unistd.h>

static int greet(void) {
    return write(3, "hello", 5) == 5;
}

static int is_greeted(void) {
    char word[5];
    return read(3, word, 5) == 5;
}

int main(int count, char **arguments) {
    if (count > 1 && !strcmp(arguments[1], "first"))
        return !greet() || !is_greeted();
    return !is_greeted() || !greet();
}
