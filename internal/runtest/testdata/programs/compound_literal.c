// A compound literal is a variable without a name: it ends with its block, and a
// second one in a loop replaces nothing.
//
// run: => A=1/14 B=3/45
// known@O0,O1,O2,O3: B clang gives a compound literal no end of its own
#include <stdlib.h>

struct box { char *content; int n; };

static int look(const struct box *b)
{
	return b->content != NULL && b->n > 0;
}

static int once(void)
{
	int r = look(&(struct box){ malloc(14), 1 }); // alloc: A
	return r; // leak: A
}

int main(void)
{
	int r = once();
	for (int i = 0; i < 3; i++) {
		struct box *b = &(struct box){ malloc(15), i }; // alloc: B
		r += look(b);
	} // leak: B
	return r != 3;
}
