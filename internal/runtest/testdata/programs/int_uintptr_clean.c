// The same, freed through the integer; and one that is still there as an integer.
//
// run: => ~A=1/20
#include <stdint.h>
#include <stdlib.h>

struct handle { int kind; uintptr_t data; };
static struct handle global;

static int local(unsigned long n)
{
	unsigned long h = (unsigned long)malloc(n);
	unsigned long copy = h;
	h = 0;
	free((void *)copy);
	return h != 0;
}

int main(void)
{
	global.data = (uintptr_t)malloc(20); // alloc: A
	*(char *)global.data = 2; // forgotten: A
	global.kind = local(10);
	return 0;
}
