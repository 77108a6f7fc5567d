// va_list handed to another function, many pointers (past the registers), freed there.
//
// run: =>
#include <stdarg.h>
#include <stdlib.h>

static void release(int n, va_list ap)
{
	while (n-- > 0)
		free(va_arg(ap, void *));
}

static void free_all(int n, ...)
{
	va_list ap, copy;
	int *scratch = malloc(sizeof *scratch);
	va_start(ap, n);
	va_copy(copy, ap);
	for (int i = 0; i < n; i++)
		*scratch = *va_arg(copy, char *);
	va_end(copy);
	release(n, ap);
	va_end(ap);
	free(scratch);
}

#define M(n) calloc(1, n)
int main(void)
{
	free_all(9, M(1), M(2), M(3), M(4), M(5), M(6), M(7), M(8), M(9));
	return 0;
}
