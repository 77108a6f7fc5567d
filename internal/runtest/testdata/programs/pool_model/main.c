// A pool known by a model file: its functions allocate and release.
//
// oracle: none, because valgrind does not know the pool
// run: => A=2/48 ~M=?/?
#include <stdlib.h>

static char *memory;
static size_t used = 64;

void *pool_get(size_t n)
{
	if (!memory)
		memory = malloc(4096); // alloc: M
	void *p = memory + used;
	used += (n + 31) & ~(size_t)15;
	return p;
}

void pool_put(void *p)
{
	(void)p;
}

static void *slot;

static int once(void)
{
	long *a = pool_get(24); // alloc: A
	*a = 1;
	return (int)*a; // leak: A
}

int main(void)
{
	slot = pool_get(24); // alloc: A
	slot = pool_get(40); // leak: A
	pool_put(slot);
	slot = NULL;
	pool_put(pool_get(8));
	return once() != 1;
}
