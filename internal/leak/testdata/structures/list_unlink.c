// One node is taken out of a list; leaky: it is not freed.
#include <stdlib.h>

struct node { int key; struct node *next; };
struct list { struct node *first; };

static void insert(struct list *l, int key)
{
    struct node *n = malloc(sizeof *n); // alloc: node
    if (!n)
        abort();
    n->key = key;
    n->next = l->first;
    l->first = n;
}

static struct node *take(struct list *l, int key)
{
    for (struct node **p = &l->first; *p; p = &(*p)->next) {
        if ((*p)->key == key) {
            struct node *n = *p;
            *p = n->next;
            return n;
        }
    }
    return NULL;
}

static void drop(struct list *l, int key)
{
    struct node *n = take(l, key);
    free(n);
}

static void forget(struct list *l, int key)
{
    struct node *n = take(l, key);
    if (n)
        n->next = NULL;
} // leak-missed: node

static void clear(struct list *l)
{
    while (l->first) {
        struct node *n = l->first;
        l->first = n->next;
        free(n);
    }
}

int main(void)
{
    struct list l = { NULL };
    insert(&l, 1);
    insert(&l, 2);
    insert(&l, 3);
    drop(&l, 2);
    forget(&l, 1);
    clear(&l);
    return 0;
}
// limit-missed: a node unlinked from a list through a pointer to a link
