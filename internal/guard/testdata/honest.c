/* The record is no owner: what it holds and nobody else does is lost, for leak
   checkers too. */
#include "plumb_guard.h"
#include <stdio.h>

PLUMB_GUARD_SITE(site);

static void forgets(int n)
{
	PLUMB_GUARD_CALL(site);
	char *p = (char *)plumb_guard_add(site, malloc(77));
	p[0] = (char)n;
	printf("%p\n", (void *)p);
}

int main(void)
{
	int i;
	for (i = 0; i < 100; i++)
		forgets(i);
	return 0;
}
