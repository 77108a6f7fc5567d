// Tagged unions that free what they hold before they hold something else.
//
// run: =>
#include <stdlib.h>

struct value;
struct list { int n; struct value *v; };
struct value { enum { NUM, TEXT, LIST } kind; union { long n; char *text; struct list list; } u; };

static void clear(struct value *v)
{
	switch (v->kind) {
	case NUM:
		break;
	case TEXT:
		free(v->u.text);
		break;
	case LIST:
		for (int i = 0; i < v->u.list.n; i++)
			clear(&v->u.list.v[i]);
		free(v->u.list.v);
		break;
	}
	v->kind = NUM;
	v->u.n = 5;
}

static struct value text(void) { struct value v = { TEXT, { .text = malloc(9) } }; return v; }

int main(void)
{
	struct value v = text(), l = { LIST, { .list = { 3, malloc(3 * sizeof v) } } };
	for (int i = 0; i < 3; i++)
		l.u.list.v[i] = text();
	clear(&l.u.list.v[1]);
	clear(&v);
	v = text();
	clear(&v);
	clear(&l);
	return 0;
}
