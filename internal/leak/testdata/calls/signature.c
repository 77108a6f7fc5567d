// A pointer that is lost in memory without a name is one of the functions of its
// type whose address is taken.
#include <stdlib.h>

typedef long (*scale)(const long *, short);
typedef long (*finish)(long *, short, short);

static long twice(const long *p, short n) { return *p * 2 * n; }
static long thrice(const long *p, short n) { return *p * 3 * n; }
static long last(long *p, short a, short b)
{
    long r = *p + a + b;
    free(p);
    return r;
}

struct node { struct node *next; void *what; };

static void hide(struct node *n, scale *slot)
{
    n->next->what = slot;
}

static long unnamed(struct node *n)
{
    scale *slot = n->next->what;
    long *p = malloc(sizeof *p); // alloc: p
    if (!p)
        return 0;
    *p = 1;
    return (*slot)(p, 1); // leak: p
}

static long unnamed_released(struct node *n, finish **end)
{
    long *p = malloc(sizeof *p);
    if (!p)
        return 0;
    *p = 1;
    n->next = NULL;
    return (**end)(p, 1, 2);
}

int main(int argc, char **argv)
{
    (void)argv;
    struct node a = {0}, b = {0};
    a.next = &b;
    scale f = argc > 1 ? twice : thrice;
    hide(&a, &f);
    finish g = last, *h = &g;
    return unnamed(&a) + unnamed_released(&a, &h) == 7 ? 0 : 1;
}
