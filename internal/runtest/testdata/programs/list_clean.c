// Lists: reversed in place, spliced, emptied from the front and through a pointer
// to pointer.
//
// run: =>
#include <stdlib.h>

struct node { struct node *next; int v; };

static struct node *reverse(struct node *n)
{
	struct node *done = NULL;
	while (n) {
		struct node *next = n->next;
		n->next = done;
		done = n;
		n = next;
	}
	return done;
}

static void remove_odd(struct node **at)
{
	while (*at) {
		struct node *n = *at;
		if (n->v % 2) {
			*at = n->next;
			free(n);
		} else {
			at = &n->next;
		}
	}
}

int main(void)
{
	struct node *head = NULL, **tail = &head;
	for (int i = 0; i < 20; i++) {
		*tail = malloc(sizeof **tail);
		(*tail)->v = i;
		(*tail)->next = NULL;
		tail = &(*tail)->next;
	}
	head = reverse(head);
	remove_odd(&head);
	struct node *second = head->next->next;
	head->next->next = NULL;
	struct node *first = head;
	while (second) {
		struct node *next = second->next;
		second->next = first;
		first = second;
		second = next;
	}
	while (first) {
		struct node *next = first->next;
		free(first);
		first = next;
	}
	return 0;
}
