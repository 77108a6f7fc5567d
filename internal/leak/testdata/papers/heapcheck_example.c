// A function keeps its argument in a global, if there is one, and returns two new
// nodes, one in the other.
// paper: HeapCheck, example of summaries (f1, g1, g2): leaks of the inner node in both callers
#include <stdlib.h>

struct link { int d; struct link *n; };
static struct link *kept;

static struct link *node(void)
{
    struct link *p = malloc(sizeof *p);
    if (!p)
        abort();
    p->n = NULL;
    return p;
}

static struct link *exchange(struct link *p)
{
    if (p != NULL)
        kept = p;
    p = node();
    p->n = node();
    return p;
}

static void with(void)
{
    kept = NULL;
    struct link *x = node();
    struct link *y = exchange(x); // alloc: inner
    free(y); // leak: inner
    free(kept);
}

static void without(void)
{
    kept = NULL;
    struct link *z = exchange(NULL); // alloc: alone
    free(z); // leak: alone
}

static void well(void)
{
    kept = NULL;
    struct link *x = node();
    struct link *y = exchange(x);
    free(y->n);
    free(y);
    free(kept);
    kept = NULL;
}

// Past the slides: the node in the global is never freed.
static void keeps(void)
{
    kept = NULL;
    struct link *x = node(); // alloc: kept
    struct link *y = exchange(x);
    free(y->n);
    free(y);
    kept = NULL;
} // leak: kept

int main(void)
{
    with();
    without();
    well();
    keeps();
    return 0;
}
