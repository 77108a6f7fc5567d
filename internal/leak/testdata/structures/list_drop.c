// Elements are taken out of a list through a pointer to the link that holds them;
// leaky: they are not freed.
#include <stdlib.h>

struct item { int v; struct item *next; };

static struct item *push(struct item *head, int v)
{
    struct item *i = malloc(sizeof *i);
    if (!i)
        abort();
    i->v = v;
    i->next = head;
    return i;
}

static struct item *without(struct item *head, int v)
{
    struct item **link = &head;
    while (*link) {
        struct item *i = *link;
        if (i->v == v) {
            *link = i->next;
            free(i);
        } else {
            link = &i->next;
        }
    }
    return head;
}

static struct item *without_badly(struct item *head, int v)
{
    struct item **link = &head;
    while (*link) {
        if ((*link)->v == v)
            *link = (*link)->next; // leak: dropped
        else
            link = &(*link)->next;
    }
    return head;
}

static void free_all(struct item *head)
{
    while (head) {
        struct item *next = head->next;
        free(head);
        head = next;
    }
}

static void clean(void)
{
    struct item *head = NULL;
    for (int i = 0; i < 3; i++)
        head = push(head, i);
    head = without(head, 1);
    free_all(head);
}

static void leaky(void)
{
    struct item *head = NULL;
    for (int i = 0; i < 3; i++)
        head = push(head, i); // alloc: dropped
    head = without_badly(head, 2);
    free_all(head);
}

int main(void)
{
    clean();
    leaky();
    return 0;
}
