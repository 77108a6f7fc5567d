// longjmp over several frames: each loses what it held at the call that did not
// come back; the frame that jumps, at the jump.
//
// run: -1 => A=1/16 B=1/24 C=1/32
// run: 1 =>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf env;

static int inner(int n)
{
	char *c = malloc(32); // alloc: C
	c[0] = (char)n;
	if (n < 0)
		longjmp(env, 1); // leak: C
	n = c[0];
	free(c);
	return n;
}

static int middle(int n)
{
	char *b[2] = { malloc(24), NULL }; // alloc: B
	b[0][0] = 1;
	n = inner(n); // leak: B
	free(b[0]);
	return n;
}

static int outer(int n)
{
	char *a = malloc(16); // alloc: A
	a[0] = 1;
	n = middle(n) + a[0]; // leak: A
	free(a);
	return n;
}

int main(int argc, char **argv)
{
	if (setjmp(env))
		return 0;
	return outer(argc > 1 ? atoi(argv[1]) : 1) != 2;
}
