// Blocks that refer to each other: the direct one is that whose last reference
// from outside went away, wherever it lies.
// lost 1 32 alloc=20,26 loss=30
// indirect 4 128 alloc=20,26
// lost 1 48 alloc=35 loss=39
// indirect 1 64 alloc=42,36
#include <stdlib.h>

#include "sites.h"

struct node {
	struct node *next, *prev;
};
static struct node *ring;
static void *other;

__attribute__((noinline)) static void add(void) {
	ENTER;

	struct node *n = CALL(malloc(32));
	n->next = ring ? ring : n, n->prev = ring ? ring->prev : n;
	n->next->prev = n->prev->next = n;
	DROP(ring), ring = n, DROP(n), n = 0;
}

static void rings(void) { ENTER; for (int i = 0; i < 5; i++) CALL(add()); ring = ring->next; }
int main(void) {
	ENTER;
	rings();
	DROP(ring), ring = 0;
	for (int i = 0; i < 1; i++) {

	// A child that knows its parent.
	struct node *child(struct node *);
	struct node *parent = CALL(malloc(48));
	parent->next = CALL(child(parent));

	other = 0;
	DROP(parent), parent = 0; }
	return 0;
}
struct node *child(struct node *p) { ENTER; struct node *c = CALL(malloc(64)); c->prev = p; DROP(c); return c; }
