// Clean. expand() returns memory only when *err is 0, so the test
// "p == NULL || err" drops nothing.
#include <stdlib.h>
#include <string.h>
static char *expand(int *err, const char *s)
{
	*err = 1;
	if (*s == '$')
		return NULL;
	*err = 0;
	return strdup(s);
}
int use(const char *s)
{
	int err;
	char *p = expand(&err, s); // alloc: o0

	if (p == NULL || err)
		return 0;
	free(p);
	return 1;
}
