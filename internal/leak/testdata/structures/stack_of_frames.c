// Frames are pushed to and popped from a stack that hangs off a context; leaky:
// leaving by an error does not pop.
#include <stdlib.h>

struct frame { struct frame *up; int depth; };
struct context { struct frame *top; };

static void enter(struct context *c)
{
    struct frame *f = malloc(sizeof *f);
    if (!f)
        abort();
    f->up = c->top;
    f->depth = c->top ? c->top->depth + 1 : 0;
    c->top = f;
}

static void leave(struct context *c)
{
    struct frame *f = c->top;
    c->top = f->up;
    free(f);
}

static int eval(struct context *c, int n)
{
    int rc = 0;
    enter(c);
    if (n > 0)
        rc = eval(c, n - 1);
    leave(c);
    return rc;
}

static int eval_badly(struct context *c, int n)
{
    enter(c);
    if (n == 0)
        return -1;
    if (eval_badly(c, n - 1) < 0)
        return -1;
    leave(c);
    return 0;
}

static void clean(void)
{
    struct context c = { NULL };
    eval(&c, 3);
}

static void leaky(void)
{
    struct context c = { NULL };
    eval_badly(&c, 3); // alloc: frame
} // leak: frame

int main(void)
{
    clean();
    leaky();
    return 0;
}
