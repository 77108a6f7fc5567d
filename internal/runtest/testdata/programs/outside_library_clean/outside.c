// Not instrumented.
#include <stdlib.h>
#include "outside.h"

struct node { struct node *next; void *item; };
static struct node *all;
static void *slot;

void outside_add(void *p)
{
	struct node *n = malloc(sizeof *n); // alloc: N
	n->item = p;
	n->next = all;
	all = n;
}

void outside_each(int (*visit)(void *, void *), void *context)
{
	while (all) {
		struct node *n = all;
		all = n->next;
		visit(n->item, context);
		free(n);
	}
}

void *outside_swap(void *p)
{
	void *old = slot;
	slot = p;
	return old;
}
