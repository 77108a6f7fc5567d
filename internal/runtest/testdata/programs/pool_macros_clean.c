// An arena whose blocks hold each other; all is given back with the pool, or is still
// held by what the arena itself holds. PLUMB_IGNORE takes a block out of the report.
//
// oracle: none, because valgrind does not know plumb.h
// run: => ~M=?/? ~A=3/72
#include <plumb.h>
#include <stdlib.h>

struct node { struct node *next; long v[2]; };
struct arena { size_t used; char memory[2000]; };

static struct arena *arena;
static struct node *list;

static struct node *node_new(struct node *next)
{
	struct node *n = (struct node *)(arena->memory + arena->used);
	arena->used += 32;
	PLUMB_POOL_ALLOC(arena, n, sizeof *n); // alloc: A
	n->next = next;
	return n;
}

static void fill(int n)
{
	list = NULL;
	while (n-- > 0)
		list = node_new(list);
}

int main(void)
{
	char *ignored = malloc(100);
	PLUMB_IGNORE(ignored);
	ignored = NULL;
	arena = malloc(2048); // alloc: M
	arena->used = 8;
	PLUMB_POOL_CREATE(arena);
	fill(5);
	list = NULL;
	PLUMB_POOL_DESTROY(arena);
	arena->used = 8;
	PLUMB_POOL_CREATE(arena);
	fill(3);
	return ignored != NULL;
}
