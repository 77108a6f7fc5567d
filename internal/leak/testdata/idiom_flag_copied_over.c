// A flag in a struct is not what it was after the struct is set or copied over; it is after something else is.
#include <stdlib.h>
#include <string.h>

struct conf { int n, own; };

void
replaced(struct conf *c, const struct conf *next)
{
	char *p = NULL;

	if (c->own)
		p = malloc(8);	// alloc: L1
	memcpy(c, next, sizeof *c);
	if (c->own)
		free(p);
	return;	// leak: L1
}

void
cleared(struct conf *c)
{
	char *p = malloc(8);	// alloc: L2

	c->own = p != NULL;
	memset(c, 0, sizeof *c);
	if (c->own)
		free(p);
	return;	// leak: L2
}

// Clean: the flag is set after the copy, and what is set then is beside it.
void
restored(struct conf *c, const struct conf *next)
{
	char *p = malloc(8);

	c->own = 0;
	memcpy(c, next, sizeof *c);
	c->own = 1;
	memset(&c->n, 0, sizeof c->n);
	if (c->own)
		free(p);
}

// Clean: another struct is written.
int
beside(struct conf *c)
{
	struct conf old;
	char *p = NULL;

	if (c->own)
		p = malloc(8);
	memset(&old, 0, sizeof old);
	if (c->own)
		free(p);
	return old.n;
}

int
main(void)
{
	struct conf yes = { 1, 1 }, no = { 0, 0 }, c = yes;

	restored(&c, &no);
	beside(&c);
	replaced(&c, &no);
	cleared(&c);
	return 0;
}
