// Lock-free stack: the only pointer to a node is at times the local that the
// compare_exchange writes to.
//
// run: =>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node { struct node *next; long v; };
static _Atomic(struct node *) top;

static void push(long v)
{
	struct node *n = malloc(sizeof *n);
	n->v = v;
	n->next = atomic_load(&top);
	while (!atomic_compare_exchange_weak(&top, &n->next, n))
		;
}

static void *work(void *arg)
{
	for (int i = 0; i < 100; i++)
		push(i);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	struct node *all = atomic_exchange(&top, NULL);
	while (all) {
		struct node *next = all->next;
		free(all);
		all = next;
	}
	return 0;
}
