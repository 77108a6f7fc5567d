// goto and switch leave the block in which the variable lives.
//
// run: 1 => A=1/10
// run: 2 => B=1/20
// run: 3 =>
// known@O1,O2,O3: B a break as the last statement of a block has the line of the brace
#include <stdlib.h>

static int choose(int n)
{
	int r = 0;
	{
		char *a = malloc(10); // alloc: A
		a[0] = (char)n;
		if (a[0] == 1)
			goto done; // leak: A
		free(a);
	}
	switch (n) {
	case 2: {
		char *b = malloc(20); // alloc: B
		b[0] = 1;
		r = b[0];
		break; // leak: B
	}
	case 3: {
		char *c = malloc(30);
		r = 2;
		free(c);
		break;
	}
	default:
		r = 4;
	}
done:
	return r;
}

int main(int argc, char **argv)
{
	return choose(argc > 1 ? atoi(argv[1]) : 3) > 2;
}
