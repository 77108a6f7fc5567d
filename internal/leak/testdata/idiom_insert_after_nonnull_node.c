// old is dereferenced, so node->prev == old is not NULL and node is linked.
#include <stdlib.h>
typedef struct node { struct node *prev, *next; void *value; } node;
typedef struct { node *head, *tail; } list;
list *insert(list *l, node *old, void *value, int after) {
    node *n = malloc(sizeof *n);
    if (n == NULL) return NULL;
    n->value = value;
    if (after) {
        n->prev = old; n->next = old->next;
        if (l->tail == old) l->tail = n;
    } else {
        n->next = old; n->prev = old->prev;
        if (l->head == old) l->head = n;
    }
    if (n->prev != NULL) n->prev->next = n;
    if (n->next != NULL) n->next->prev = n;
    return l;
}
