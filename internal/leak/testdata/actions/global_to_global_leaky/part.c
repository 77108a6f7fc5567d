// The part that does it, two calls deep.
#include <stddef.h>

char *latest, *previous;

static void shift(void)
{
    previous = latest; // leak: one
    latest = NULL;
}

void rotate(void)
{
    shift();
}
