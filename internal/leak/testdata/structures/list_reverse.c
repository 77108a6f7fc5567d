// A list is reversed in place and freed; leaky: the reversal starts from the
// second node, so that the first stays behind.
#include <stdlib.h>

struct node { struct node *next; };

static struct node *build(int n)
{
    struct node *head = NULL;
    while (n-- > 0) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            abort();
        fresh->next = head;
        head = fresh;
    }
    return head;
}

static struct node *reverse(struct node *l)
{
    struct node *done = NULL;
    while (l) {
        struct node *next = l->next;
        l->next = done;
        done = l;
        l = next;
    }
    return done;
}

static void free_all(struct node *l)
{
    for (struct node *next; l; l = next) {
        next = l->next;
        free(l);
    }
}

static void clean(void)
{
    struct node *l = build(3);
    l = reverse(l);
    free_all(l);
}

static void leaky(void)
{
    struct node *l = build(3); // alloc: node
    l = reverse(l->next); // leak: node
    free_all(l);
}

int main(void)
{
    clean();
    leaky();
    return 0;
}
