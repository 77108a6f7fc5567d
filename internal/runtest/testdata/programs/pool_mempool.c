// A pool with VALGRIND_CREATE_MEMPOOL and its chunks: one chunk is overwritten, one
// freed, and a second pool is destroyed as a whole, which loses nothing.
//
// run: => A=1/32
#include <stdlib.h>
#include <valgrind/memcheck.h>

struct pool { char *memory; size_t used; };

static void pool_init(struct pool *p)
{
	p->memory = malloc(4096);
	p->used = 64;
	VALGRIND_MAKE_MEM_NOACCESS(p->memory, 4096);
	VALGRIND_CREATE_MEMPOOL(p, 0, 0);
}

static void *pool_take(struct pool *p, size_t n)
{
	void *chunk = p->memory + p->used;
	p->used += n;
	VALGRIND_MEMPOOL_ALLOC(p, chunk, n); // alloc: A
	return chunk;
}

static void pool_give(struct pool *p, void *chunk)
{
	VALGRIND_MEMPOOL_FREE(p, chunk);
}

static void pool_end(struct pool *p)
{
	VALGRIND_DESTROY_MEMPOOL(p);
	free(p->memory);
}

static struct pool one, two;

int main(void)
{
	pool_init(&one);
	pool_init(&two);
	long *a = pool_take(&one, 32);
	*a = 1;
	a = pool_take(&one, 64); // leak: A
	*a = 2;
	pool_give(&one, a);
	for (int i = 0; i < 5; i++)
		*(long *)pool_take(&two, 16) = i;
	pool_end(&two);
	return 0;
}
