// Clean. *err was just set to 0, the call that releases the buffer cannot
// change it (the buffer is a different object), so ret is returned.
//
#include <stdlib.h>
#include <string.h>
struct buf { char *d; size_t n; };
static void buf_free(struct buf *b)
{
	free(b->d);
	b->d = NULL;
	free(b);
}
char *expand(int *err, const char *s)
{
	struct buf *b;
	char *ret = NULL;

	if ((b = calloc(1, sizeof(*b))) == NULL)
		abort();
	*err = 1;
	if ((b->d = strdup(s)) == NULL)
		goto out;
	if (*s == '$')
		goto out;
	if ((ret = strdup(b->d)) == NULL)
		abort();
	*err = 0;
out:
	buf_free(b);
	return *err ? NULL : ret;
}
