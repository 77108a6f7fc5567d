// The text of a memory stream outlives the stream; the struct that holds both ends
// with the function.
//
// run: => A=1/?
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

struct out { char *text; size_t n; FILE *f; };

static int render(int n)
{
	struct out o = { 0 };
	o.f = open_memstream(&o.text, &o.n); // alloc: A
	fprintf(o.f, "%d", n);
	fclose(o.f); // alloc: A
	return (int)o.n; // leak: A
}

int main(void)
{
	return render(12) != 2;
}
