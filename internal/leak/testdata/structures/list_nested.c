// A list whose nodes own text; leaky: the nodes are freed, the texts are not.
#include <stdlib.h>
#include <string.h>

struct node { char *text; struct node *next; };

static struct node *add(struct node *head, const char *s)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        return head;
    n->text = strdup(s);
    n->next = head;
    return n;
}

static void free_deep(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l->text);
        free(l);
        l = next;
    }
}

static void free_shallow(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l); // leak: text
        l = next;
    }
}

int main(void)
{
    struct node *a = add(add(NULL, "x"), "y"), *b = add(NULL, "x"); // alloc: text
    free_deep(a);
    free_shallow(b);
    return 0;
}
