// A function of a library that plumb has no model of.
#include <stdlib.h>

void lib_put(char *p);
void lib_look(__attribute__((noescape)) char *p);

int put(int n) {
	char *p = malloc(8); // alloc: p
	lib_put(p);
	return n; // leak@borrow: p
}

// A parameter that is marked is only looked at under either setting.
int look(int n) {
	char *q = malloc(8); // alloc: q
	lib_look(q);
	return n; // leak: q
}

struct box { char *inside; };
void lib_box(struct box *b);

int boxed(int n) {
	struct box b;
	b.inside = malloc(8); // alloc: b
	lib_box(&b);
	return n; // leak@borrow: b
}

int through(void (*f)(char *), int n) {
	char *r = malloc(8); // alloc: r
	f(r);
	return n; // leak@borrow: r
}
