// What a guard has to do with other ways to make, release and hand on.
// run: 0
// run: 1
// run: 2
// run: 3
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DROP(p) free(p)

static int odd(const char *s)
{
	return strlen(s) % 2;
}

/* Made through a pointer; the name has no value before. */
static int filled(int n)
{
	char *s;
	int r = 0;
	if (asprintf(&s, "%d", n * 7) < 0)
		return -1;
	r = odd(s);
	if (r == n)
		free(s);
	puts("filled");
	return r;
}

/* Returned on one path, forgotten on another. */
static char *returned(int n)
{
	char *s = strdup("returned"), *t;
	if (!s)
		return NULL;
	t = strchr(s, 'u');
	if (n == 1 && t)
		return s;
	if (n == odd(s))
		free(s);
	puts("not returned");
	return NULL;
}

/* Released by a macro. */
static int macro(int n)
{
	char *s = strdup("macro");
	int r;
	if (!s)
		return -1;
	r = odd(s);
	if (r == n)
		DROP(s);
	puts("macro");
	return r;
}

/* Released by a function of its own family. */
static int stream(int n)
{
	FILE *f = stdin;
	int r;
	if (n > 1)
		f = fopen("/dev/null", "r");
	if (!f)
		return -1;
	r = fgetc(f) == EOF;
	if (r && n == 3)
		fclose(f);
	puts("stream");
	return r;
}

/* Each call has its own: the object of the outer call lives on. */
static int again(int n)
{
	char *s = strdup("again");
	int r = 0;
	if (!s)
		return -1;
	if (n > 0)
		r = again(n - 1);
	r += odd(s);
	if (r % 2 == 0)
		free(s);
	puts("again");
	return r;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;
	char *s;
	printf("%d\n", filled(n));
	s = returned(n);
	printf("%s\n", s ? s : "nothing");
	free(s);
	printf("%d %d %d\n", macro(n), stream(n), again(n));
	return 0;
}
