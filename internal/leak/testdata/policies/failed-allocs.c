// When memory is short: the first buffer is lost where the second cannot be had.
// run: x
#include <stdlib.h>
#include <string.h>

// Where the allocation itself failed there is nothing to lose, under either setting.
int one(void) {
	char *a = malloc(8);
	if (!a)
		return -1;
	free(a);
	return 0;
}

int two(void) {
	char *a = malloc(8); // alloc: a; not-run: a
	if (!a)
		return -1;
	char *b = malloc(8);
	if (!b)
		return -1; // leak@default: a
	free(b);
	free(a);
	return 0;
}

static void *get(size_t n) {
	void *p = malloc(n);
	if (!p)
		return NULL;
	memset(p, 0, n);
	return p;
}

// The same through a wrapper, and through one that returns a code.
int wrapped(void) {
	char *c = malloc(8); // alloc: c; not-run: c
	if (!c)
		return -1;
	char *d = get(8);
	if (!d)
		return -1; // leak@default: c
	free(d);
	free(c);
	return 0;
}

static int fill(char **out) {
	*out = malloc(8);
	if (!*out)
		return -1;
	return 0;
}

int coded(void) {
	char *e = malloc(8); // alloc: e; not-run: e
	if (!e)
		return -1;
	char *f;
	if (fill(&f) < 0)
		return -1; // leak@default: e
	free(f);
	free(e);
	return 0;
}

// A path on which something else fails is followed under either setting.
int other(const char *s) {
	char *g = malloc(8); // alloc: g
	if (!g)
		return -1;
	if (s[0] == 'x')
		return -1; // leak: g
	free(g);
	return 0;
}

int main(int argc, char **argv) {
	one();
	two();
	wrapped();
	coded();
	other(argv[argc - 1]);
	return 0;
}
