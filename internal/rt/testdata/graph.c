// Lost blocks that refer to each other: one direct block for each that nothing
// else refers to; a cycle has one, too.
// lost 1 32
// indirect 9 288
// lost 1 48
// indirect 1 48
// lost 1 64
// indirect 1 32
// indirect 1 40
// lost 1 24
// forgotten 1 64
// forgotten 1 64
#include <stdlib.h>
#include <string.h>

struct node {
	struct node *a, *b;
};
struct node *keep;

static struct node *make(size_t n, struct node *a, struct node *b) {
	struct node *x = malloc(n);
	x->a = a;
	x->b = b;
	return x;
}

__attribute__((noinline)) static void lose(void) {
	struct node *list = 0;
	for (int i = 0; i < 10; i++) {
		struct node *n = malloc(32);
		n->a = list;
		n->b = 0;
		list = n;
	}
	struct node *p = malloc(48), *q = p;
	for (int i = 0; i < 2; i++) {
		if (i) p->b = q = make(48, p, 0);
	}
	struct node *shared = make(40, 0, 0);
	// Shared by two lost ones that a third refers to; an interior pointer counts.
	struct node *top = make(64, (struct node *)((char *)shared + 8), make(32, shared, 0));
	(void)top;
	malloc(24);
	keep = make(64, make(64, 0, 0), 0);
}

int main(void) {
	lose();
	return 0;
}
