// The part that does it, two calls deep.
#include <stdlib.h>
#include "box.h"

char *pending;

static struct box *empty_box(void)
{
    struct box *b = malloc(sizeof *b);
    if (!b)
        abort();
    return b;
}

struct box *box_up(void)
{
    struct box *b = empty_box();
    b->content = pending;
    pending = NULL;
    return b;
}
