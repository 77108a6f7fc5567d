// Appending at the end of a list, through a pointer to the last link or by
// walking to it. Leaky: the list is empty, and the new node goes nowhere.
#include <stdlib.h>

struct node { int value; struct node *next; };
struct list { struct node *first, **last; };

static struct node *node(int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = NULL;
    return n;
}

static void init(struct list *l)
{
    l->first = NULL;
    l->last = &l->first;
}

static void append(struct list *l, int value)
{
    struct node *n = node(value);
    *l->last = n;
    l->last = &n->next;
}

static void append_walking(struct node **head, int value)
{
    while (*head)
        head = &(*head)->next;
    *head = node(value);
}

static void append_badly(struct node *head, int value)
{
    struct node *n = node(value); // alloc: node
    while (head && head->next)
        head = head->next;
    if (head)
        head->next = n;
} // leak: node

static void free_all(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}

static void by_link(void)
{
    struct list l;
    init(&l);
    append(&l, 1);
    append(&l, 2);
    free_all(l.first);
}

static void by_walk(void)
{
    struct node *head = NULL;
    append_walking(&head, 1);
    append_walking(&head, 2);
    free_all(head);
}

static void badly(void)
{
    struct node *head = NULL;
    append_badly(head, 1);
    free_all(head);
}

int main(void)
{
    by_link();
    by_walk();
    badly();
    return 0;
}
