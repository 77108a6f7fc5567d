// Append to a list that is not empty: head is set only when len == 0, which the second call cannot
// see.
#include <stdlib.h>
typedef struct listNode { struct listNode *prev, *next; void *value; } listNode;
typedef struct list { listNode *head, *tail; unsigned long len; } list;
void *zmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
list *listCreate(void) { list *l = zmalloc(sizeof *l); l->head = l->tail = NULL; l->len = 0; return l; }
void listAddNodeTail(list *l, void *v) {
    listNode *n = zmalloc(sizeof *n);
    n->value = v;
    if (l->len == 0) { l->head = l->tail = n; n->prev = n->next = NULL; }
    else { n->prev = l->tail; n->next = NULL; l->tail->next = n; l->tail = n; }
    l->len++;
}
void listRelease(list *l) {
    unsigned long len = l->len;
    listNode *c = l->head, *next;
    while (len--) { next = c->next; free(c); c = next; }
    free(l);
}
list *pair(void *a, void *b) {
    list *l = listCreate();
    listAddNodeTail(l, a);
    listAddNodeTail(l, b);              /* false alarm: head is not overwritten */
    return l;
}
