// The part that does it, two calls deep.
#include <stdlib.h>

static void drop(char *s)
{
    if (s)
        free(s);
}

void drop_first(char *a, char *b, int n)
{
    drop(a);
    if (n > 1)
        drop(b);
}
