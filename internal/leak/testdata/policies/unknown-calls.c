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

// So is what is const, unless a pointer comes back, which may be the same one.
void lib_show(const char *p);
const char *lib_find(const char *p);
void lib_any(const void *p);

int show(int n) {
	char *s = malloc(8); // alloc: s
	lib_show(s);
	return n; // leak: s
}

int find(int n) {
	char *t = malloc(8); // alloc: t
	const char *u = lib_find(t);
	return n + u[0]; // leak@borrow: t
}

int any(int n) {
	char *v = malloc(8); // alloc: v
	lib_any(v);
	return n; // leak@borrow: v
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
