// As list_free.c, all in one function: no summary is needed.
#include <stdlib.h>

struct node { int value; struct node *next; };

static void clean(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh);
        if (!fresh)
            abort();
        fresh->next = head;
        head = fresh;
    }
    while (head) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
}

static void first_only(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh); // alloc: older
        if (!fresh)
            abort();
        fresh->next = head;
        head = fresh;
    }
    free(head); // leak: older
}

static void unlinked(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh); // alloc: unlinked
        if (!fresh)
            abort();
        fresh->next = NULL;
        head = fresh; // leak: unlinked
    }
    free(head);
}

static void one_short(int n)
{
    struct node *head = NULL;
    for (int i = 0; i < n; i++) {
        struct node *fresh = malloc(sizeof *fresh); // alloc: last
        if (!fresh)
            abort();
        fresh->next = head;
        head = fresh;
    }
    while (head && head->next) {
        struct node *next = head->next;
        free(head);
        head = next;
    }
} // leak: last

int main(void)
{
    clean(3);
    first_only(3);
    unlinked(3);
    one_short(3);
    return 0;
}
