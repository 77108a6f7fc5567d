// The process ends while memory is held.
// no-run: what main holds counts as lost for valgrind
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *why) {
	fprintf(stderr, "%s\n", why);
	exit(1);
}

void check(int n) {
	char *p = malloc(8); // alloc: p
	if (n > 3)
		exit(2); // leak@leak: p "held by 'p' is not released before the process ends"
	free(p);
}

void inferred(int n) {
	char *q = malloc(8); // alloc: q
	if (n > 4)
		die("too many"); // leak@leak: q
	free(q);
}

void aborts(int n) {
	char *r = malloc(8); // alloc: r
	if (n > 5)
		abort(); // leak@leak: r
	free(r);
}

// What the last function is given, it may need.
void message(int n) {
	char *m = strdup("told");
	if (n > 6)
		die(m);
	free(m);
}

// Overwritten right before the end: lost, but who cares.
char *grow(char *s, size_t n) {
	char *t = malloc(n); // alloc: t
	t = realloc(t, 2 * n); // leak@leak: t
	if (!t)
		exit(3);
	(void)s;
	return t;
}

int main(int argc, char **argv) {
	char *own = strdup(argv[0]); // alloc: own
	check(argc);
	inferred(argc);
	aborts(argc);
	message(argc);
	free(grow(own, 9));
	return 0; // leak@leak: own "is not released before the process ends"
}
