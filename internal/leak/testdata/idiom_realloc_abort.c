// Clean in effect: when realloc fails the old block is overwritten, but the
// program ends at once (abort/exit), so nothing is lost that could be freed.
//
#include <stdlib.h>
char *grow(char *p, size_t n)
{
	p = realloc(p, n);
	if (p == NULL)
		abort();
	return p;
}
char *twice(void)
{
	char *p = malloc(10);
	p = realloc(p, 20);
	if (p == NULL)
		abort();
	return p;
}
