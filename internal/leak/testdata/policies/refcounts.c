// Released when the last reference is given back.
// run: 1 2 3
#include <stdlib.h>

struct obj { int refs; int data; };

static struct obj *obj_new(void) {
	struct obj *o = malloc(sizeof *o);
	if (!o)
		abort();
	o->refs = 1;
	o->data = 0;
	return o;
}

static void obj_put(struct obj *o) {
	if (--o->refs == 0)
		free(o);
}

int given_back(void) {
	struct obj *o = obj_new(); // alloc: o
	int n = o->data;
	obj_put(o);
	return n; // leak@keep: o
}

int forgotten(int n) {
	struct obj *p = obj_new(); // alloc: p
	if (n > 3)
		return 1; // leak: p
	obj_put(p);
	return 0; // leak@keep: p
}

int main(int argc, char **argv) {
	(void)argv;
	given_back();
	forgotten(argc);
	return 0;
}
