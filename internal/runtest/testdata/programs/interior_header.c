// Blocks with a hidden header: the program only ever sees what lies behind it.
//
// run: => A=1/80 B=1/48
#include <stdlib.h>
#include <string.h>

struct header { size_t size; long magic; };

static void *get(size_t size)
{
	struct header *h = malloc(sizeof *h + size); // alloc: A
	h->size = size;
	h->magic = 0x1234;
	return h + 1;
}

static void *get_zero(size_t size)
{
	struct header *h = calloc(1, sizeof *h + size); // alloc: B
	h->size = size;
	return h + 1;
}

static void put(void *p)
{
	if (p)
		free((struct header *)p - 1);
}

static char *name;

static int use(const char *s)
{
	char *copy = get(64);
	strcpy(copy, s);
	if (copy[0] == 'x')
		return -1; // leak: A
	put(copy);
	return 0;
}

int main(void)
{
	name = get_zero(32);
	name[0] = 'n';
	name = get_zero(16); // leak: B
	use("fine");
	use("xyz");
	put(name);
	name = NULL;
	return 0;
}
