#include <stdlib.h>
#include "store.h"

static char *kept;

void store_set(char *p)
{
	kept = p; // leak: A
}

char *store_make(int n)
{
	return malloc(n); // alloc: B
}
