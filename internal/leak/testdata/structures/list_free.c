// A list is built by pushing to its front and freed in a loop; leaky: only its
// first node is freed.
#include <stdlib.h>

struct node { int value; struct node *next; };

static struct node *push(struct node *head, int value)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->value = value;
    n->next = head;
    return n;
}

static void free_all(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}

static void clean(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++)
        head = push(head, i);
    free_all(head);
}

static void leaky(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++)
        head = push(head, i); // alloc: node
    free(head); // leak: node
}

int main(void)
{
    clean(3);
    leaky(3);
    return 0;
}
