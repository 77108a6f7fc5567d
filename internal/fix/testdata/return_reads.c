// What is returned is computed from the object.
// run: hello
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t length(const char *s)
{
    char *copy = strdup(s);
    if (!copy)
        return 0;
    return strlen(copy);
}

static int first(const char *s)
{
    char *copy = strdup(s);
    if (!copy)
        return 0;
    if (copy[0] == 'h')
        return copy[1];
    free(copy);
    return 0;
}

int main(int argc, char **argv)
{
    const char *s = argc > 1 ? argv[1] : "x";
    printf("%zu %d\n", length(s), first(s));
    return 0;
}
