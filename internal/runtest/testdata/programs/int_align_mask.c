// An aligned address inside a larger block, found by p + 63 & ~63, is all that is
// left of it: kept in a global it holds the block, overwritten it loses it.
//
// run: => A=1/191 ~B=1/191
#include <stdint.h>
#include <stdlib.h>

static char *line, *other;

static char *aligned(char *raw)
{
	uintptr_t a = ((uintptr_t)raw + 63) & ~(uintptr_t)63;
	return (char *)a;
}

int main(void)
{
	line = aligned(malloc(191)); // alloc: A
	line[0] = 1;
	other = aligned(malloc(191)); // alloc: B
	other[0] = 1; // forgotten: B
	line = NULL; // leak: A
	return 0;
}
