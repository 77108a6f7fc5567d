// The worst case: nothing but a guarded allocation and its release.
#include <stdio.h>
#include <stdlib.h>

static unsigned once(unsigned n)
{
	char *p = malloc(16 + n % 64);
	unsigned c;
	if (!p)
		abort();
	p[0] = (char)n;
	c = (unsigned char)p[0];
	if (c == 77)
		return 1; // forgets it
	free(p);
	return c;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 20000000;
	unsigned sum = 0;
	while (rounds-- > 0)
		sum += once((unsigned)rounds);
	printf("%u\n", sum);
	return 0;
}
