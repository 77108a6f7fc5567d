// Copies, moves and fills of a length known only at run time, over pointers.
//
// run: 2 => A=2/32 B=2/64 C=2/96
// run: 4 => A=4/64 B=4/128 C=4/192
// run: 0 =>
#include <stdlib.h>
#include <string.h>

static char *first[4], *second[4], *third[4];

static void fill(char **a, int n, char *(*make)(void))
{
	for (int i = 0; i < n; i++)
		a[i] = make();
}

static char *sixteen(void) { return malloc(16); } // alloc: A
static char *more(void) { return malloc(32); } // alloc: B
static char *most(void) { return malloc(48); } // alloc: C

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	char **zero = calloc(8, sizeof *zero);
	fill(first, n, sixteen);
	fill(second, n, more);
	fill(third, n, most);
	memcpy(first, zero, n * sizeof *zero); // leak: A
	memset(second, 0xff, n * sizeof *second); // leak: B
	memmove(third, zero + 1, n * sizeof *zero); // leak: C
	free(zero);
	return 0;
}
