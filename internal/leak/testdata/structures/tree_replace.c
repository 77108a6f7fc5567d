// A subtree takes the place of another; leaky: the old one is not freed.
#include <stdlib.h>

struct expr { int op; struct expr *a, *b; };

static struct expr *make(int op, struct expr *a, struct expr *b)
{
    struct expr *e = malloc(sizeof *e);
    if (!e)
        abort();
    e->op = op;
    e->a = a;
    e->b = b;
    return e;
}

static void release(struct expr *e)
{
    if (e) {
        release(e->a);
        release(e->b);
        free(e);
    }
}

static void clean(void)
{
    struct expr *e = make('+', make(1, NULL, NULL), make(2, NULL, NULL));
    release(e->b);
    e->b = make(3, NULL, NULL);
    release(e);
}

static void leaky(void)
{
    struct expr *e = make('+', make(1, NULL, NULL), NULL);
    e->b = make(2, NULL, NULL); // alloc: old
    e->b = make(3, NULL, NULL); // leak: old
    release(e);
}

int main(void)
{
    clean();
    leaky();
    return 0;
}
