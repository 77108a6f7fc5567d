// What points into itself is not held by that.
#include <stdlib.h>

struct node;
struct list {
	int version;
	struct node *first;
	struct node **last;
};

static struct list *
list_new(void)
{
	struct list *l = calloc(1, sizeof(*l));

	if (l == NULL)
		return NULL;
	l->first = NULL;
	l->last = &l->first;
	return l;
}

int
main(void)
{
	struct list *l = list_new(); // alloc: l

	if (l == NULL)
		return 1;
	l->version = 1;
	l = NULL; // leak: l
	return 0;
}
