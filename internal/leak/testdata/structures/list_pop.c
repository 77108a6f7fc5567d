// The first node is popped and its text given to the caller; leaky: the node
// itself is not freed, or the text is not.
#include <stdlib.h>
#include <string.h>

struct node { char *text; struct node *next; };

static void push(struct node **head, const char *text)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->text = strdup(text); // alloc: text
    n->next = *head;
    *head = n;
}

static char *pop(struct node **head)
{
    struct node *n = *head;
    if (!n)
        return NULL;
    char *text = n->text;
    *head = n->next;
    free(n);
    return text;
}

static char *pop_badly(struct node **head)
{
    struct node *n = *head;
    if (!n)
        return NULL;
    char *text = n->text;
    *head = n->next;
    return text;
}

static void clean(void)
{
    struct node *head = NULL;
    push(&head, "a"); // alloc: early
    push(&head, "b");
    char *text;
    while ((text = pop(&head)) != NULL) // ends early if a text could not be copied
        free(text);
} // leak: early; not-run: early

static void node_lost(void)
{
    struct node *head = NULL;
    push(&head, "a"); // alloc: node
    free(pop_badly(&head)); // leak: node
}

static void text_lost(void)
{
    struct node *head = NULL;
    push(&head, "a");
    pop(&head); // leak: text
}

int main(void)
{
    clean();
    node_lost();
    text_lost();
    return 0;
}
