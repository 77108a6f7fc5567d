// A cache that is filled at the start, looked into for a while, and never again: not
// lost, but forgotten, with the line that used it last.
//
// run: => ~A=1/400 ~B=1/48 ~C=1/64
#include <stdlib.h>

static int *squares;
static char *written, *passed;

static int square(int n)
{
	return squares[n]; // forgotten: A
}

static void touch(const char *p)
{
	(void)p;
}

int main(void)
{
	int sum = 0;
	squares = malloc(100 * sizeof *squares); // alloc: A
	written = malloc(48); // alloc: B
	passed = malloc(64); // alloc: C
	for (int i = 0; i < 100; i++)
		squares[i] = i * i;
	passed[0] = 1;
	for (int i = 0; i < 10; i++)
		sum += square(i);
	written[3] = (char)sum; // forgotten: B
	touch(passed); // forgotten: C
	for (int i = 0; i < 10; i++)
		sum -= i;
	return sum == 0;
}
