// Of a struct that is returned only one field is looked at: the other is lost in
// that very statement.
//
// run: => A=1/30
// known@O0,O1,O2,O3: A a temporary struct ends with the function
#include <stdlib.h>

struct slice { char *data; long length, capacity; };

static struct slice slice_new(long n)
{
	struct slice s = { malloc(n), n, n }; // alloc: A
	return s;
}

static long room(long n)
{
	long c = slice_new(n).capacity; // leak: A
	return c;
}

int main(void)
{
	return room(30) != 30;
}
