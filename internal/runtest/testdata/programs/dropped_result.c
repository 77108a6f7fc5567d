// A function whose result owns memory is called for its effect, or through a pointer,
// or its result is compared and forgotten.
//
// run: => A=4/64
#include <stdlib.h>

static int counter;

static char *record(int n)
{
	char *p = malloc(16); // alloc: A
	p[0] = (char)n;
	counter++;
	return p;
}

static char *(*hook)(int) = record;

int main(void)
{
	record(1); // leak: A
	(void)record(2); // leak: A
	hook(3); // leak: A
	if (!record(4)) // leak: A
		return 1;
	return counter != 4;
}
