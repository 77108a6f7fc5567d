// The memory is made and freed under the same test of a global, which the call in between changes.
#include <stdlib.h>

int mode = 2;

static void set(int m) { mode = m; }

int use(int m)
{
	char *p = NULL;

	if (mode == 2) {
		p = malloc(3); // alloc: o0
		if (!p)
			abort();
	}
	set(m);
	if (mode == 2)
		free(p);
	return 0; // leak: o0
}

int main(int argc, char **argv)
{
	(void)argv;
	return use(argc - 1);
}
