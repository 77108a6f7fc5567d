// A release that first walks the list with an iterator, then frees nodes and list by count.
#include <stdlib.h>
typedef struct listNode { struct listNode *prev, *next; void *value; } listNode;
typedef struct list { listNode *head, *tail; unsigned long len; } list;
typedef struct { listNode *next; int direction; } listIter;
void *zmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
void listRewind(list *l, listIter *li) { li->next = l->head; li->direction = 0; }
listNode *listNext(listIter *it) {
    listNode *c = it->next;
    if (c != NULL) { if (it->direction == 0) it->next = c->next; else it->next = c->prev; }
    return c;
}
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
static list *build(int n) {
    list *l = listCreate();
    int *v = zmalloc(sizeof *v);
    *v = n;
    listAddNodeTail(l, v);
    return l;
}
static void releaseAll(list *t) {
    if (t != NULL) {
        listIter li; listNode *ln;
        listRewind(t, &li);
        while ((ln = listNext(&li)) != NULL) free(ln->value);
        listRelease(t);
    }
}
int move(int);
int early(int n) {
    list *t = build(n);
    releaseAll(t);
    return 0;
}
int rebalance(int n) {
    int result = 1;
    listIter li; listNode *ln;
    list *t = build(n);
    listRewind(t, &li);
    while ((ln = listNext(&li)) != NULL) {
        result = move(*(int *)ln->value);
        if (!result) break;
    }
    releaseAll(t);
    return result;
}
