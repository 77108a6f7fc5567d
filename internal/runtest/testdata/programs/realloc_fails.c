// p = realloc(p, n) that fails: p is overwritten with null and its block lost.
//
// run: huge => A=1/64
// run: fine =>
#include <stdint.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	volatile size_t n = argc > 1 && argv[1][0] == 'h' ? PTRDIFF_MAX : 128;
	char *p = malloc(64); // alloc: A
	p[0] = 1;
	p = realloc(p, n); // leak: A
	free(p);
	return 0;
}
