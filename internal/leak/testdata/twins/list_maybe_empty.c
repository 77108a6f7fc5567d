// As idiom_list_known_nonempty.c, but the first element is added only if there are others,
// so the list may be empty.
#include <stdlib.h>
#include <stdio.h>
typedef struct node { struct node *prev, *next; void *value; } node;
typedef struct list { node *head, *tail; void (*free)(void *); unsigned long len; } list;
struct member { int primary, numslaves; struct member *slaveof, **slaves; const char *name; };

static void *zmalloc(size_t n)
{
    void *p = malloc(n);
    if (!p) abort();
    return p;
}

static list *listCreate(void)
{
    list *l = zmalloc(sizeof *l);
    l->head = l->tail = NULL;
    l->len = 0;
    l->free = NULL;
    return l;
}

static void link_tail(list *l, node *n)
{
    if (l->len == 0) {
        l->head = l->tail = n;
        n->prev = n->next = NULL;
    } else {
        n->prev = l->tail;
        n->next = NULL;
        l->tail->next = n;
        l->tail = n;
    }
    l->len++;
}

static list *add(list *l, void *v)
{
    node *n = zmalloc(sizeof *n);
    n->value = v;
    link_tail(l, n);
    return l;
}

static void release(list *l)
{
    unsigned long len = l->len;
    node *cur = l->head, *next;
    while (len--) {
        next = cur->next;
        if (l->free) l->free(cur->value);
        free(cur);
        cur = next;
    }
    free(l);
}

static list *serving(struct member *m)
{
    list *l = listCreate();
    struct member *p = m->primary ? m : m->slaveof;
    if (!p) abort();
    if (p->numslaves) add(l, p);
    for (int i = 0; i < p->numslaves; i++)
        add(l, p->slaves[i]);
    return l;
}

void reply(struct member *m)
{
    list *l = serving(m); // alloc: o0
    if (!l) abort();
    printf("%lu\n", l->len);
    if (l->len != 0) {
        for (node *n = l->head; n; n = n->next)
            puts(((struct member *)n->value)->name);
        release(l);
    }
} // leak: o0

int main(void)
{
    struct member a = { 1, 0, NULL, NULL, "a" };
    reply(&a);
    return 0;
}
