// Pointers behind a header, and memory of a wrapper that is left in a place.
#include <stdlib.h>
#include <string.h>

static size_t used;

static void *take(size_t n)
{
	size_t *p = malloc(n + sizeof *p);
	if (p == NULL)
		abort();
	*p = n;
	used += n;
	return p + 1;
}

static void give(void *v)
{
	size_t *p = (size_t *)v - 1;
	used -= *p;
	free(p);
}

static void *hi_malloc(size_t n) { return malloc(n); }
static void hi_free(void *p) { free(p); }

static char *text(const char *s)
{
	size_t n = strlen(s);
	char *h = hi_malloc(n + 2);
	if (h == NULL)
		return NULL;
	h[0] = (char)n;
	memcpy(h + 1, s, n + 1);
	return h + 1;
}

static void text_free(char *s)
{
	if (s == NULL)
		return;
	hi_free(s - 1);
}

int behind_a_header(int n)
{
	char *s = text("a"); // by: text_free(p)
	if (n)
		return 1;
	text_free(s);
	return 0;
}

int elsewhere(int n)
{
	char *s = text("b"); // by: text_free(p)
	return s != NULL && n;
}

int counted(int n)
{
	char *p = take(8); // by: give(p)
	if (n)
		return 1;
	give(p);
	return 0;
}
