// A list is built and freed by recursion; leaky: the recursion stops one node
// early.
#include <stdlib.h>

struct node { struct node *next; int value; };

static struct node *build(int n)
{
    if (n == 0)
        return NULL;
    struct node *l = malloc(sizeof *l);
    if (!l)
        abort();
    l->value = n;
    l->next = build(n - 1);
    return l;
}

static void free_all(struct node *l)
{
    if (!l)
        return;
    free_all(l->next);
    free(l);
}

static void free_but_last(struct node *l)
{
    if (!l || !l->next)
        return;
    free_but_last(l->next);
    free(l);
}

static void clean(int n)
{
    struct node *l = build(n);
    free_all(l);
}

static void leaky(int n)
{
    struct node *l = build(n); // alloc: node
    free_but_last(l);
} // leak-missed: node

int main(void)
{
    clean(4);
    leaky(4);
    return 0;
}
// limit-missed: the last node of a list that recursion builds and frees
