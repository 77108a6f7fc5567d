// Functions of the program that allocate and release.
// run: 1 2 3
#include <stdlib.h>
#include <string.h>

static void *get(size_t n) {
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}

static void put(void *p) {
	if (p)
		free(p);
}

int made(int n) {
	char *p = get(8); // alloc: p
	if (n > 3)
		return 1; // leak@default: p
	put(p);
	return 0;
}

static int fill(char **out) {
	*out = malloc(8);
	return *out ? 0 : -1;
}

int filled(int n) {
	char *q;
	if (fill(&q) < 0) // alloc: q
		return -1;
	if (n > 3)
		return 1; // leak@default: q
	put(q);
	return 0;
}

// Given to a function that releases it; not to know which is not to report.
int direct(int n) {
	char *r = malloc(8); // alloc: r
	if (n > 3)
		return 1; // leak: r
	put(r);
	return 0;
}

int main(int argc, char **argv) {
	(void)argv;
	made(argc);
	filled(argc);
	direct(argc);
	return 0;
}
