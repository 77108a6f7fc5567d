// asprintf and vasprintf write the result over what the variable held.
//
// run: => A=1/? B=1/?
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static int format(char **to, const char *f, ...)
{
	va_list ap;
	va_start(ap, f);
	int n = vasprintf(to, f, ap); // alloc: B; leak: B
	va_end(ap);
	return n;
}

int main(void)
{
	char *s;
	if (asprintf(&s, "first %d", 1) < 0) // alloc: A
		return 1;
	if (asprintf(&s, "second %d", 2) < 0) // leak: A
		return 1;
	free(s);
	char *t = NULL;
	format(&t, "%s", "one");
	format(&t, "%s", "two");
	free(t);
	return 0;
}
