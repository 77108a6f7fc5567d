#include <stdlib.h>
#include <string.h>
#include "parts.h"

char *part_text(int n)
{
	return malloc(n); // alloc: A
}

void doc_close(struct doc *d)
{
	free(d->title);
	memset(d, 0, sizeof *d); // leak: B
}
