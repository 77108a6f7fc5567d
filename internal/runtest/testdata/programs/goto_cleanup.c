// Labels of a cleanup ladder: the one that is jumped to frees too little.
//
// run: 1 => A=1/10
// run: 2 => B=1/20 A=1/10
// run: 3 =>
#include <stdlib.h>

static int open_all(int fail)
{
	int rc = -1;
	char *a = NULL, *b = NULL, *c = NULL;
	a = malloc(10); // alloc: A
	if (fail == 1)
		goto out; // leak: A
	b = malloc(20); // alloc: B
	if (fail == 2)
		goto out_c; // leak: A; leak: B
	c = malloc(30);
	rc = 0;
	free(b);
	free(a);
out_c:
	free(c);
out:
	return rc; // leak: A; leak: B
}

int main(int argc, char **argv)
{
	return open_all(argc > 1 ? atoi(argv[1]) : 3) > 0;
}
