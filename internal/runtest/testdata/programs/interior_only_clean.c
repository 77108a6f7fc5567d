// Only pointers into the middle and to the last byte are left: they hold their blocks.
//
// run: => ~A=1/64 ~B=1/48
#include <stdlib.h>

static char *middle, *last;

int main(void)
{
	char *a = malloc(64); // alloc: A
	char *b = malloc(48); // alloc: B
	a[0] = b[0] = 1; // forgotten: A; forgotten: B
	middle = a + 20;
	last = b + 47;
	a = b = NULL;
	return 0;
}
