// Conditional and comma expressions: the side that is not chosen is lost with its
// variable, the left operand of a comma at once.
//
// run: 0 => B=1/22 C=1/33
// run: 1 => A=1/11 C=1/33
#include <stdlib.h>

#define make(n) ((char *)calloc(1, n))

static int pick(int n)
{
	char *a = make(11); // alloc: A
	char *b = make(22); // alloc: B
	char *chosen = n == 0 ? a : b;
	int r = chosen[0];
	free(chosen);
	return r; // leak: A; leak: B
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	int r = (make(33), pick(n)); // alloc: C; leak: C
	return r;
}
