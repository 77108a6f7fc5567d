// An arena that tells valgrind of its blocks: MALLOCLIKE and FREELIKE requests.
//
// run: free => ~M=1/4096
// run: lose => A=1/48 ~M=?/?
#include <stdlib.h>
#include <valgrind/valgrind.h>

static char *memory;
static size_t used = 64;

static void *take(size_t n)
{
	if (!memory)
		memory = malloc(4096); // alloc: M
	void *p = memory + used;
	used += n + 16;
	VALGRIND_MALLOCLIKE_BLOCK(p, n, 0, 0); // alloc: A
	return p;
}

static void give(void *p)
{
	VALGRIND_FREELIKE_BLOCK(p, 0);
}

static int run(int lose)
{
	long *a = take(48);
	*a = lose;
	if (*a)
		return 1; // leak: A
	give(a);
	return 0;
}

int main(int argc, char **argv)
{
	return run(argc > 1 && argv[1][0] == 'l') > 1;
}
