// Every level of a recursion holds a block; below a depth it is not freed.
//
// run: 2 =>
// run: 5 => A=3/60
#include <stdlib.h>

static int descend(int depth)
{
	char *level = malloc(20); // alloc: A
	int below = 0;
	level[0] = (char)depth;
	if (depth > 0)
		below = descend(depth - 1);
	if (depth < 3) {
		free(level);
		return below + 1;
	}
	return below; // leak: A
}

int main(int argc, char **argv)
{
	return descend(argc > 1 ? atoi(argv[1]) : 0) != 3;
}
