// What an atomic exchange puts into memory goes through a number.
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) current;

static void publish(char *next) { free(atomic_exchange(&current, next)); }

struct node {
	struct node *next;
};
static _Atomic(struct node *) top;

static int push(void) {
	struct node *n = malloc(sizeof *n);
	if (!n)
		return -1;
	n->next = atomic_load(&top);
	while (!atomic_compare_exchange_weak(&top, &n->next, n))
		;
	return 0;
}

int main(void) {
	publish(malloc(8));
	publish(NULL);
	if (push())
		return 1;
	struct node *n = atomic_exchange(&top, NULL);
	free(n);
	return 0;
}
