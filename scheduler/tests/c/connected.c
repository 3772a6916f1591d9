/* What programs do that are connected, by their arguments: `write COUNT`, `read COUNT`, `arguments`. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Reads single bytes to the end, which must come after as many. */
static int reads(int expected) {
    char byte;
    int found = 0;
    while (read(0, &byte, 1) == 1)
        found++;
    assert(found == expected);
    return 0;
}

static int writes(int count) {
    for (int i = 0; i < count; i++)
        assert(write(1, "x", 1) == 1);
    return 0;
}

int main(int count, char **arguments) {
    if (!strcmp(arguments[1], "write"))
        return writes(atoi(arguments[2]));
    if (!strcmp(arguments[1], "read"))
        return reads(atoi(arguments[2]));
    assert(count == 5 && !*arguments[2] && !strcmp(arguments[3], "b") && !*arguments[4]);
    return 0;
}
