// Results that go straight into other calls: the last callee only looks at them, so
// they are lost in the statement (or, the same, when that callee returns).
//
// run: => A=1/6 B=1/7 C=1/8
#include <stdlib.h>
#include <string.h>

static char *checked(char *p)
{
	if (!p)
		abort();
	return p;
}

static char *tagged(char *p, char c)
{
	p[0] = c;
	p[1] = 0;
	return p;
}

static int first(const char *p)
{
	return p[0]; // leak: A
}

int main(void)
{
	int r = first(tagged(checked(malloc(6)), 'x')); // alloc: A; leak: A
	r += (int)strlen(tagged(malloc(7), 'y')); // alloc: B; leak: B
	checked(malloc(8)); // alloc: C; leak: C
	return r != 'x' + 1;
}
