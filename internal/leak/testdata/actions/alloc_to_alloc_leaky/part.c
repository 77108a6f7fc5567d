// The part that does it, two calls deep.
#include <stdlib.h>
#include "pair.h"

static struct pair *empty(void)
{
    struct pair *p = malloc(sizeof *p);
    if (!p)
        abort();
    p->left = p->right = NULL;
    return p;
}

struct pair *pair_new(void)
{
    struct pair *p = empty();
    p->left = empty();
    return p;
}
