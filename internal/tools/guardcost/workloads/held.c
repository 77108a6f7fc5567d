// The worst case for the number of slots: two thousand calls of a function are active
// at once, and each holds a guarded object.
#include <stdio.h>
#include <stdlib.h>

static unsigned deep(unsigned depth)
{
	char *p = malloc(16 + depth % 64);
	unsigned sum;
	if (!p)
		abort();
	p[0] = (char)depth;
	sum = depth ? deep(depth - 1) : 0;
	sum += (unsigned char)p[0];
	if (sum % 128 == 77)
		return sum; // forgets it
	free(p);
	return sum;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 2000;
	unsigned sum = 0;
	while (rounds-- > 0)
		sum += deep(2000);
	printf("%u\n", sum);
	return 0;
}
