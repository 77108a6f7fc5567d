// A list whose links are the exclusive or of both neighbours, released by walking it.
//
// run: =>
#include <stdint.h>
#include <stdlib.h>

struct node { uintptr_t both; int v; };

int main(void)
{
	struct node *first = NULL, *last = NULL;
	for (int i = 0; i < 10; i++) {
		struct node *n = malloc(sizeof *n);
		n->v = i;
		n->both = (uintptr_t)last;
		if (last)
			last->both ^= (uintptr_t)n;
		else
			first = n;
		last = n;
	}
	struct node *prev = NULL;
	int sum = 0;
	while (first) {
		struct node *next = (struct node *)(first->both ^ (uintptr_t)prev);
		sum += first->v;
		free(prev);
		prev = first;
		first = next;
	}
	free(prev);
	return sum != 45;
}
