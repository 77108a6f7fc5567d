// A variadic function that only has its further arguments printed keeps none of them; one that takes them
// out of the list may.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int depth;
static void (*handler)(const char *);
static void complain(const char *fmt, ...);

static void do_log(const char *fmt, va_list args)
{
	char buf[128];

	if (depth++ > 2)
		complain("too deep %d", depth); // a cycle of calls
	vsnprintf(buf, sizeof buf, fmt, args);
	if (handler)
		handler(buf);
	else
		puts(buf);
	depth--;
}

static void logv(const char *fmt, va_list args) { do_log(fmt, args); }

static void complain(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	logv(fmt, args);
	va_end(args);
}

static void twice(const char *fmt, ...)
{
	va_list args, again;

	va_start(args, fmt);
	va_copy(again, args);
	vprintf(fmt, args);
	vprintf(fmt, again);
	va_end(again);
	va_end(args);
}

static void never(int n, ...) { printf("%d\n", n); }

static char *kept[4];

static void keep(int n, ...)
{
	va_list args;
	int i;

	va_start(args, n);
	for (i = 0; i < n; i++)
		kept[i] = va_arg(args, char *);
	va_end(args);
}

static void take(int n, va_list args)
{
	while (n-- > 0)
		free(va_arg(args, char *));
}

static void release(int n, ...)
{
	va_list args;

	va_start(args, n);
	take(n, args);
	va_end(args);
}

void logged(const char *s)
{
	char *p = strdup(s); // alloc: logged

	if (p)
		complain("name %s", p);
} // leak: logged

void printed(const char *s)
{
	char *p = strdup(s); // alloc: printed

	if (p)
		twice("name %s\n", p);
} // leak: printed

void ignored(const char *s)
{
	char *p = strdup(s); // alloc: ignored

	if (p)
		never(1, p);
} // leak: ignored

void put_away(const char *s)
{
	char *p = strdup(s);

	if (p)
		keep(1, p);
}

void released(const char *s)
{
	char *p = strdup(s);

	if (p)
		release(1, p);
}

int main(int argc, char **argv)
{
	(void)argc;
	logged(argv[0]);
	printed(argv[0]);
	ignored(argv[0]);
	put_away(argv[0]);
	released(argv[0]);
	free(kept[0]);
	return 0;
}
