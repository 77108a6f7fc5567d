// Assigning a struct overwrites the pointers in it: as a whole, nested, and through
// a pointer.
//
// run: => A=1/11 B=1/12 C=1/13
#include <stdlib.h>

struct inner { int n; char *text; };
struct outer { struct inner in[2]; long pad; };

static struct outer whole, nested;

int main(void)
{
	struct inner empty = { 0, NULL };
	struct inner *third = malloc(sizeof *third);
	whole.in[1].text = malloc(11); // alloc: A
	nested.in[0].text = malloc(12); // alloc: B
	third->text = malloc(13); // alloc: C
	whole = (struct outer){ .pad = 1 }; // leak: A
	nested.in[0] = empty; // leak: B
	*third = whole.in[0]; // leak: C
	free(third);
	return 0;
}
