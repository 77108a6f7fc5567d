// What the tests of the judge mend rightly and wrongly.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int show(const char *text)
{
    char *copy = strdup(text);
    char *twice = malloc(2 * strlen(text) + 1);
    if (!copy || !twice) {
        free(copy);
        return 1;
    }
    if (text[0] == 'x') {
        free(twice);
        return 2;
    }
    sprintf(twice, "%s%s", copy, copy);
    puts(twice);
    free(copy);
    free(twice);
    return 0;
}

int main(int argc, char **argv)
{
    return argc > 1 ? show(argv[1]) : 3;
}
