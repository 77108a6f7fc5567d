// The callee always adds one element, so len != 0 always holds.
#include <stdlib.h>
typedef struct node { struct node *next; void *value; } node;
typedef struct { node *head; unsigned long len; } list;
static void *zmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
list *create(void) { list *l = zmalloc(sizeof *l); l->head = NULL; l->len = 0; return l; }
void add(list *l, void *v) { node *n = zmalloc(sizeof *n); n->value = v; n->next = l->head; l->head = n; l->len++; }
void release(list *l) { unsigned long k = l->len; node *c = l->head, *x; while (k--) { x = c->next; free(c); c = x; } free(l); }
list *nodes(void *a, int n, void **more) { list *l = create(); add(l, a); for (int i = 0; i < n; i++) add(l, more[i]); return l; }
void show(void *);
void reply(void *a, int n, void **more) {
    list *l = nodes(a, n, more); // alloc: o0
    if (l->len != 0) {
        for (node *c = l->head; c; c = c->next) show(c->value);
        release(l);
    }
} // leak-false: o0
// limit-false: a callee always leaves a field not 0 (a list it has just added to)
