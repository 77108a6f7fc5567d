// Every way of realloc: from null, growing and shrinking in place and elsewhere, to
// a temporary, failing with the old pointer kept.
//
// run: =>
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
	volatile size_t huge = PTRDIFF_MAX;
	char *p = realloc(NULL, 10);
	for (size_t n = 10; n < 300000; n = n * 3 / 2) {
		p = realloc(p, n);
		p[n - 1] = 1;
	}
	char *q = realloc(p, huge);
	if (q)
		p = q;
	for (size_t n = 200000; n > 8; n /= 3)
		p = realloc(p, n);
	free(p);
	char **list = NULL;
	for (int i = 0; i < 50; i++) {
		char **more = realloc(list, (i + 1) * sizeof *list);
		list = more;
		list[i] = malloc(i + 1);
	}
	for (int i = 49; i >= 0; i--) {
		free(list[i]);
		if (i)
			list = realloc(list, i * sizeof *list);
	}
	free(list);
	return 0;
}
