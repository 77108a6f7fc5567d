// Cycles that are reachable from one place, and one that is taken apart.
//
// run: => ~A=3/48
#include <stdlib.h>

struct node { struct node *next, *prev; };
static struct node *ring;

static struct node *insert(struct node *at)
{
	struct node *n = malloc(sizeof *n); // alloc: A
	if (!at) {
		n->next = n->prev = n;
	} else {
		n->next = at->next;
		n->prev = at;
		at->next->prev = n;
		at->next = n;
	}
	return n;
}

int main(void)
{
	struct node *own = NULL;
	for (int i = 0; i < 3; i++)
		own = insert(own);
	own->prev->next = NULL;
	while (own) {
		struct node *next = own->next;
		free(own);
		own = next;
	}
	for (int i = 0; i < 3; i++)
		ring = insert(ring);
	for (int i = 0; i < 9; i++)
		ring = ring->next; // forgotten: A
	return ring == NULL;
}
