// A node is freed with another in its field.
// paper: HeapCheck, motivation: leak of the field
#include <stdlib.h>

struct link { int d; struct link *n; };

static void forgets(void)
{
    struct link *x = malloc(sizeof *x);
    if (!x)
        return;
    x->n = malloc(sizeof *x->n); // alloc: field
    free(x); // leak: field "x->n"
}

static void frees(void)
{
    struct link *x = malloc(sizeof *x);
    if (!x)
        return;
    x->n = malloc(sizeof *x->n);
    free(x->n);
    free(x);
}

int main(void)
{
    forgets();
    frees();
    return 0;
}
