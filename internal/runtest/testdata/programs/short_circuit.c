// Conditions that skip the release, and one whose operand loses a result.
//
// run: 0 => A=1/9
// run: 1 => B=1/17
#include <stdlib.h>

static char *try_open(int n)
{
	return n ? malloc(17) : NULL; // alloc: B
}

static int release(char *p)
{
	free(p);
	return 1;
}

static int run(int n)
{
	char *p = malloc(9); // alloc: A
	p[0] = (char)n;
	if (n && release(p))
		p = NULL;
	return p != NULL; // leak: A
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	int r = run(n);
	if (r || try_open(n) != NULL) // leak: B
		r = 1;
	return r != 1;
}
