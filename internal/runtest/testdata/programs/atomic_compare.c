// compare_exchange that fails: the new block is nobody's when the function returns.
// One that succeeds loses the old block, whose pointer is in the local until then.
//
// run: lose => A=1/16 ~B=1/24
// run: win => B=1/24 ~A=1/16
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) slot;

static int install(char *expected)
{
	char *fresh = malloc(16); // alloc: A
	fresh[0] = 1; // forgotten: A
	if (!atomic_compare_exchange_strong(&slot, &expected, fresh)) {
		expected[0] = 2; // forgotten: B
		return 0; // leak: A
	}
	return 1; // leak: B
}

int main(int argc, char **argv)
{
	char *first = malloc(24); // alloc: B
	atomic_store(&slot, first);
	first = NULL;
	return install(argc > 1 && argv[1][0] == 'w' ? atomic_load(&slot) : NULL) > 1; // leak: B
}
