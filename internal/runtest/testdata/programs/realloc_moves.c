// realloc of a block that holds pointers: as it grows they move along and nothing is
// lost; then the block is, with what it holds.
//
// run: => A=1/8000 B=1/10 C=1/20
#include <stdlib.h>

struct table { char **slot; int n; };

int main(void)
{
	struct table t = { calloc(2, sizeof(char *)), 2 };
	t.slot[0] = malloc(10); // alloc: B
	t.slot[1] = malloc(20); // alloc: C
	t.slot = realloc(t.slot, 1000 * sizeof(char *)); // alloc: A
	t.slot[0][0] = t.slot[1][0] = 1;
	t.slot = NULL; // leak: A; leak: B; leak: C
	return 0;
}
