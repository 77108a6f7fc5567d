// Not instrumented.
#include <stdlib.h>
#include "outside.h"

static void *kept;

void outside_set(void *p)
{
	kept = p;
}

int outside_scratch(void)
{
	char *p = malloc(32); // alloc: B
	p[0] = 1;
	return p[0];
}
