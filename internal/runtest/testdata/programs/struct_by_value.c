// Structs with pointers go by value through returns and arguments; of the pair one
// half is freed and the other is lost with the variable.
//
// run: => B=1/20
#include <stdlib.h>

struct pair { char *a, *b; };
struct wide { struct pair p; long n[6]; };

static struct pair make_pair(void)
{
	struct pair p;
	p.a = malloc(10);
	p.b = malloc(20); // alloc: B
	return p;
}

static struct wide widen(struct pair p)
{
	struct wide w = { .p = p };
	w.n[0] = 1;
	return w;
}

static void close_first(struct wide w)
{
	free(w.p.a);
}

static int run(void)
{
	struct wide w = widen(make_pair());
	struct wide copy = w;
	w.p.a = w.p.b = NULL;
	close_first(copy);
	return (int)copy.n[0]; // leak: B
}

int main(void)
{
	return run() != 1;
}
