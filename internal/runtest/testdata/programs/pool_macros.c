// plumb.h: a slab allocator that says which of its cells are blocks. One cell is
// overwritten, one is lost when its owner, another cell, is given back; cells that were
// given back and a pool that was destroyed lose nothing.
//
// oracle: none, because valgrind does not know plumb.h
// run: => A=2/48 ~S=?/?
#include <plumb.h>
#include <stdlib.h>

struct cell { struct cell *next; long v[2]; };

static char *slab;
static size_t used = 32;

static void *cell_new(void)
{
	if (!slab)
		slab = malloc(1024); // alloc: S
	struct cell *c = (struct cell *)(slab + used);
	used += 32;
	PLUMB_ALLOC(c, sizeof *c); // alloc: A
	c->next = NULL;
	return c;
}

static void cell_free(struct cell *c)
{
	PLUMB_FREE(c); // leak: A
}

static void pool(void)
{
	static char memory[256];
	PLUMB_POOL_CREATE(memory);
	for (int i = 0; i < 4; i++)
		PLUMB_POOL_ALLOC(memory, memory + 16 + 32 * i, 16);
	PLUMB_POOL_FREE(memory, memory + 16);
	PLUMB_POOL_DESTROY(memory);
}

static struct cell *current;

int main(void)
{
	current = cell_new();
	current->v[0] = 1;
	current = cell_new(); // leak: A
	current->next = cell_new();
	cell_free(current);
	current = NULL;
	cell_free(cell_new());
	pool();
	return 0;
}
