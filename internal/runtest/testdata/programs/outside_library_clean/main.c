// The same kind of library holds, gives back and calls back; nothing is lost.
//
// run: => ~A=1/31 ~N=1/16
#include <stdlib.h>
#include "outside.h"

static int visit(void *item, void *context)
{
	*(char *)item = 1;
	++*(int *)context;
	free(item);
	return 0;
}

int main(void)
{
	int *n = calloc(1, sizeof *n);
	for (int i = 0; i < 5; i++)
		outside_add(malloc(10 + i));
	outside_each(visit, n);
	outside_add(malloc(31)); // alloc: A; forgotten: A
	free(outside_swap(malloc(8)));
	free(outside_swap(NULL));
	free(n);
	return 0;
}
