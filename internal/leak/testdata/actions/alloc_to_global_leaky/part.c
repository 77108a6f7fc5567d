// The part that does it, two calls deep.
#include <string.h>

char *banner;

static void fill(const char *s)
{
    banner = strdup(s); // alloc: first; leak: first
}

void banner_set(const char *s)
{
    fill(s);
}
