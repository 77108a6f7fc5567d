#include <stdlib.h>
#include "parts.h"

void doc_init(struct doc *d)
{
	d->title = NULL;
	d->body = malloc(19); // alloc: B
}

void doc_title(struct doc *d, char *t)
{
	d->title = t; // leak: A
}
