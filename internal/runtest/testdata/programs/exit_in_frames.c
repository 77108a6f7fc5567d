// exit() in the middle: what the frames above still hold is not lost; what was
// lost before is.
//
// run: => A=1/10 ~B=1/20 ~C=1/30
// known@O0: A without optimisation the old value is left on the stack of a live frame
#include <stdlib.h>

static void stop(int n)
{
	char *mine = malloc(10); // alloc: A
	mine[0] = (char)n;
	mine = malloc(30); // alloc: C; leak: A
	mine[0] = 1; // forgotten: C
	if (n)
		exit(0);
	free(mine);
}

static int run(int n)
{
	char *held = malloc(20); // alloc: B
	held[0] = 1; // forgotten: B
	stop(n);
	free(held);
	return 0;
}

int main(int argc, char **argv)
{
	(void)argv;
	return run(argc);
}
