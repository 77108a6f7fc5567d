// Building a list of copies fails halfway; leaky: what there is so far is
// forgotten.
#include <stdlib.h>

struct node { int value; struct node *next; };

static void free_all(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}

static struct node *parse(const char *s)
{
    struct node *head = NULL;
    for (; *s; s++) {
        if (*s < '0' || *s > '9') {
            free_all(head);
            return NULL;
        }
        struct node *n = malloc(sizeof *n);
        if (!n) {
            free_all(head);
            return NULL;
        }
        n->value = *s - '0';
        n->next = head;
        head = n;
    }
    return head;
}

static struct node *parse_badly(const char *s)
{
    struct node *head = NULL;
    for (; *s; s++) {
        if (*s < '0' || *s > '9')
            return NULL; // leak: bad
        struct node *n = malloc(sizeof *n); // alloc: bad
        if (!n) {
            free_all(head);
            return NULL;
        }
        n->value = *s - '0';
        n->next = head;
        head = n;
    }
    return head;
}

int main(void)
{
    free_all(parse("123"));
    free_all(parse("12x"));
    free_all(parse_badly("123"));
    free_all(parse_badly("12x"));
    return 0;
}
