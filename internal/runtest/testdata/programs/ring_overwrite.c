// A ring of pointers: the write that goes round overwrites the oldest.
//
// run: 4 =>
// run: 7 => A=3/36
#include <stdlib.h>

#define CAP 4
struct ring { char *slot[CAP]; unsigned head, tail; };

static void put(struct ring *r, char *p)
{
	r->slot[r->head++ % CAP] = p; // leak: A
	if (r->head - r->tail > CAP)
		r->tail = r->head - CAP;
}

static char *take(struct ring *r)
{
	if (r->head == r->tail)
		return NULL;
	char *p = r->slot[r->tail % CAP];
	r->slot[r->tail++ % CAP] = NULL;
	return p;
}

int main(int argc, char **argv)
{
	struct ring *r = calloc(1, sizeof *r);
	int n = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 0; i < n; i++)
		put(r, malloc(12)); // alloc: A
	for (char *p; (p = take(r)) != NULL;)
		free(p);
	free(r);
	return 0;
}
