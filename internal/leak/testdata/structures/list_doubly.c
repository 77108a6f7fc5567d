// A list with links in both directions: every node but the ends is held twice.
// Leaky: removing a node unlinks it both ways and forgets it.
#include <stdlib.h>

struct item { struct item *prev, *next; };
struct queue { struct item *head, *tail; };

static void append(struct queue *q)
{
    struct item *it = calloc(1, sizeof *it); // alloc: item
    if (!it)
        abort();
    it->prev = q->tail;
    if (q->tail)
        q->tail->next = it;
    else
        q->head = it;
    q->tail = it;
}

static void unlink_item(struct queue *q, struct item *it)
{
    if (it->prev)
        it->prev->next = it->next;
    else
        q->head = it->next;
    if (it->next)
        it->next->prev = it->prev;
    else
        q->tail = it->prev;
}

static void removed(struct queue *q)
{
    struct item *it = q->head;
    unlink_item(q, it);
    free(it);
}

static void forgotten(struct queue *q)
{
    struct item *it = q->head;
    unlink_item(q, it);
} // leak-missed: item

static void clear(struct queue *q)
{
    struct item *it, *next;
    for (it = q->head; it; it = next) {
        next = it->next;
        free(it);
    }
    q->head = q->tail = NULL;
}

int main(void)
{
    struct queue q = { NULL, NULL };
    for (int i = 0; i < 4; i++)
        append(&q);
    removed(&q);
    forgotten(&q);
    clear(&q);
    return 0;
}
// limit-missed: a node unlinked from a list with links in both directions
