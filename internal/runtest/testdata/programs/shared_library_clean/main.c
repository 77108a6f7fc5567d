// Blocks that only a global of a shared library holds, and its thread-local variable.
//
// run: => ~A=1/12 ~B=1/13
#include <stdlib.h>
#include "hold.h"

int main(void)
{
	hold(malloc(12)); // alloc: A; forgotten: A
	hold_here(malloc(13)); // alloc: B; forgotten: B
	hold_free(malloc(14));
	return 0;
}
