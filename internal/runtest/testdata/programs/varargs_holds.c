// Pointers in a va_list: the callee keeps one of three and lets the others go.
//
// run: => A=2/16
#include <stdarg.h>
#include <stdlib.h>

static char *pick(int which, int n, ...)
{
	va_list ap;
	char *kept = NULL;
	va_start(ap, n);
	for (int i = 0; i < n; i++) {
		char *p = va_arg(ap, char *);
		if (i == which)
			kept = p;
	}
	va_end(ap);
	return kept; // leak: A
}

static char *make(void) { return malloc(8); } // alloc: A

int main(void)
{
	char *p = pick(1, 3, make(), make(), make()); // leak: A
	free(p);
	return 0;
}
