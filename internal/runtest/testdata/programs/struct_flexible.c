// Pointers in a flexible array member: a shrinking realloc cuts off the last ones,
// the free of the owner loses the rest.
//
// run: 4 4 => A=4/32
// run: 4 2 => A=4/32
// run: 0 0 =>
#include <stdlib.h>

struct list { int n; char *item[]; };

static struct list *make(int n)
{
	struct list *l = malloc(sizeof *l + n * sizeof l->item[0]);
	l->n = n;
	for (int i = 0; i < n; i++)
		l->item[i] = malloc(8); // alloc: A
	return l;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	int keep = argc > 2 ? atoi(argv[2]) : 0;
	struct list *l = make(n);
	if (keep < n) {
		l = realloc(l, sizeof *l + keep * sizeof l->item[0]); // leak: A
		l->n = keep;
	}
	free(l); // leak: A
	return 0;
}
