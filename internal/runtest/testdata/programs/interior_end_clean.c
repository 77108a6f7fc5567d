// Only pointers just past the end are left: the block can still be found from them, and
// one of them is.
//
// oracle: none, because valgrind takes a pointer past the end for one to nothing
// run: => ~A=1/40
#include <stdlib.h>

static long *end, *other;

int main(void)
{
	long *a = malloc(5 * sizeof *a); // alloc: A
	long *b = malloc(2 * sizeof *b);
	a[4] = 1; // forgotten: A
	end = a + 5;
	other = b + 2;
	a = b = NULL;
	free(other - 2);
	other = NULL;
	return 0;
}
