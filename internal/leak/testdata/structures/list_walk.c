// Walking a list changes nothing: what was held before is held after. Leaky: the
// walk moves the only pointer to the list.
#include <stdlib.h>

struct node { int value; struct node *next; };
struct list { struct node *first; };

static struct node *cons(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = next;
    return n;
}

static int sum(const struct node *l)
{
    int s = 0;
    for (; l; l = l->next)
        s += l->value;
    return s;
}

static int sum_recursive(const struct node *l) { return l ? l->value + sum_recursive(l->next) : 0; }

static struct node *find(struct node *l, int value)
{
    while (l && l->value != value)
        l = l->next;
    return l;
}

static void clear(struct list *l)
{
    while (l->first) {
        struct node *n = l->first;
        l->first = n->next;
        free(n);
    }
}

static int walks(void)
{
    struct list l = { cons(1, cons(2, NULL)) };
    int s = sum(l.first) + sum_recursive(l.first);
    struct node *n = find(l.first, 2);
    if (n)
        n->value = 3;
    clear(&l);
    return s;
}

static int moves(void)
{
    struct node *l = cons(1, NULL); // alloc: moved
    int s = 0;
    while (l) {
        s += l->value;
        l = l->next; // leak: moved
    }
    return s;
}

static int moves_field(void)
{
    struct list l = { cons(1, NULL) }; // alloc: field
    int s = 0;
    while (l.first) {
        s += l.first->value;
        l.first = l.first->next; // leak: field
    }
    return s;
}

static int only_walks(void)
{
    struct node *l = cons(1, cons(2, NULL)); // alloc: walked
    return sum(l) + sum_recursive(l); // leak: walked
}

int main(void)
{
    walks();
    moves();
    moves_field();
    only_walks();
    return 0;
}
