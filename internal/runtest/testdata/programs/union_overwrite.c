// A union's pointer is overwritten as a number; and as bytes.
//
// run: => A=1/17 B=1/18
// known@O0,O1,O2,O3: B a pointer that is overwritten byte by byte is not followed
#include <stdlib.h>
#include <string.h>

struct value {
	int kind;
	union { char *text; long number; double real; unsigned char raw[8]; } u;
};

static void set_number(struct value *v, long n)
{
	v->kind = 1;
	v->u.number = n; // leak: A
}

static void set_raw(struct value *v)
{
	v->kind = 2;
	for (int i = 0; i < 8; i++)
		v->u.raw[i] = 1; // leak: B
}

int main(void)
{
	struct value v = { 0 }, w = { 0 };
	v.u.text = malloc(17); // alloc: A
	strcpy(v.u.text, "text");
	w.u.text = malloc(18); // alloc: B
	set_number(&v, 3);
	set_raw(&w);
	return v.kind + w.kind != 3;
}
