// The part that does it, two calls deep.
#include <stdlib.h>
#include <string.h>

static char *fresh(size_t size)
{
    return malloc(size);
}

char *joined(const char *a, const char *b)
{
    char *s = fresh(strlen(a) + strlen(b) + 1);
    if (s) {
        strcpy(s, a);
        strcat(s, b);
    }
    return s;
}
