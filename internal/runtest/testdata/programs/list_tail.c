// A list cut in the middle loses its tail; the first lost node owns the others. A
// list of which the head is freed alone loses the rest there.
//
// run: => A=3/48 B=4/64
#include <stdlib.h>

struct node { struct node *next; long v; };

static struct node *push(struct node *n, struct node *fresh)
{
	fresh->next = n;
	return fresh;
}

static void truncate_at(struct node *n, int keep)
{
	while (--keep > 0)
		n = n->next;
	n->next = NULL; // leak: A
}

int main(void)
{
	struct node *a = NULL, *b = NULL;
	for (int i = 0; i < 5; i++) {
		a = push(a, malloc(sizeof *a)); // alloc: A
		b = push(b, malloc(sizeof *b)); // alloc: B
	}
	truncate_at(a, 2);
	while (a) {
		struct node *next = a->next;
		free(a);
		a = next;
	}
	free(b); // leak: B
	return 0;
}
