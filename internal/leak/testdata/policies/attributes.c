// What a declaration says in attributes.
#include <stdlib.h>

void lib_look(__attribute__((noescape)) char *p);
int lib_sum(const char *p) __attribute__((pure));

int look(int n) {
	char *p = malloc(8); // alloc: p
	lib_look(p);
	return n; // leak@default: p
}

// A pure function changes nothing, so the second test is the first one.
int again(const char *s) {
	char *q = NULL;
	if (lib_sum(s) > 0)
		q = malloc(8); // alloc: q
	if (lib_sum(s) > 0)
		free(q);
	return 0; // leak@ignore: q
}
