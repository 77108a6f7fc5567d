// The variable itself is moved through the block, up to its end, and then lost:
// that is where the function returns, not where the variable was moved.
//
// run: => A=1/12 B=1/24
#include <stdlib.h>
#include <string.h>

static int count(const char *s)
{
	char *p = malloc(12); // alloc: A
	int n = 0;
	strcpy(p, s);
	while (*p++)
		n++;
	return n; // leak: A
}

static int sum(void)
{
	int *p = malloc(6 * sizeof *p); // alloc: B
	int *end = p + 6, total = 0;
	for (int *q = p; q < end; q++)
		*q = 1;
	for (; p != end; p++)
		total += *p;
	return total; // leak: B
}

int main(void)
{
	return count("eleven char") + sum() != 17;
}
