// Blocks that only hold each other: a pair, a ring of four, one that holds itself,
// and a tree with links to the parent.
//
// run: => A=2/32 B=4/64 C=1/16 T=3/72
#include <stdlib.h>

struct node { struct node *to; long v; };
struct tree { struct tree *parent, *kid[2]; };

static int pair(void)
{
	struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b); // alloc: A
	a->to = b;
	b->to = a;
	a->v = b->v = 1;
	return (int)a->v; // leak: A
}

static int ring(void)
{
	struct node *first = NULL, *last = NULL;
	for (int i = 0; i < 4; i++) {
		struct node *n = malloc(sizeof *n); // alloc: B
		n->v = i;
		if (last)
			last->to = n;
		else
			first = n;
		last = n;
	}
	last->to = first;
	return (int)last->v; // leak: B
}

static struct tree *tree_new(struct tree *parent, int depth)
{
	struct tree *t = calloc(1, sizeof *t); // alloc: T
	t->parent = parent;
	for (int i = 0; depth > 0 && i < 2; i++)
		t->kid[i] = tree_new(t, depth - 1);
	return t;
}

int main(void)
{
	struct node *self = malloc(sizeof *self); // alloc: C
	self->to = self;
	self = NULL; // leak: C
	struct tree *t = tree_new(NULL, 1);
	t = NULL; // leak: T
	return pair() + ring() + (t != NULL) + (self != NULL) != 4;
}
