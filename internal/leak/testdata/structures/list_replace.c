// A node takes the place of another in a list; a copy of a list takes the place
// of the list. Leaky: the old ones are not freed.
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = next;
    return n;
}

static void free_all(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}

static struct node *copy(const struct node *l)
{
    return l ? cons(l->value, copy(l->next)) : NULL;
}

static void replace(struct node **link, int value)
{
    struct node *old = *link;
    *link = cons(value, old->next);
    free(old);
}

static void replace_badly(struct node **link, int value)
{
    struct node *old = *link;
    *link = cons(value, old->next);
}

static void nodes(void)
{
    struct node *l = cons(1, cons(2, NULL));
    replace(&l, 3);
    replace(&l->next, 4);
    free_all(l);
}

static void nodes_badly(void)
{
    struct node *l = cons(1, NULL); // alloc: node
    replace_badly(&l, 3); // leak: node
    free_all(l);
}

static void copies(void)
{
    struct node *l = cons(1, cons(2, NULL));
    struct node *c = copy(l);
    free_all(l);
    l = c;
    free_all(l);
}

static void copies_badly(void)
{
    struct node *l = cons(1, NULL); // alloc: original
    l = copy(l); // leak: original
    free_all(l);
}

int main(void)
{
    nodes();
    nodes_badly();
    copies();
    copies_badly();
    return 0;
}
