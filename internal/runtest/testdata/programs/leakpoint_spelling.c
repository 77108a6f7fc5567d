// LeakPoint's example from a compiler: the end of an initialiser puts back the saved
// base of a stack of names over the one that grew meanwhile.
//
// run: flat =>
// run: nested => S=1/160
#include <stdlib.h>

struct spelling { const char *name; long kind; };
static struct spelling *base;
static int size, depth;

struct saved { struct spelling *base; int size, depth; };

static void push(const char *name)
{
	if (depth >= size) {
		size += 10;
		if (!base)
			base = malloc(size * sizeof *base); // alloc: S
		else
			base = realloc(base, size * sizeof *base);
	}
	base[depth].name = name;
	base[depth++].kind = 1;
}

static void start(struct saved *s)
{
	s->base = base;
	s->size = size;
	s->depth = depth;
	base = NULL;
	size = depth = 0;
}

static void finish(struct saved *s)
{
	depth = s->depth;
	base = s->base; // leak: S
	size = s->size;
}

int main(int argc, char **argv)
{
	struct saved s;
	push("outer");
	start(&s);
	if (argc > 1 && argv[1][0] == 'n')
		push("inner");
	finish(&s);
	free(base);
	base = NULL;
	return 0;
}
