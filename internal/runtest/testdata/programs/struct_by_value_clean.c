// The same with both halves freed, from a copy of a copy.
//
// run: =>
#include <stdlib.h>

struct pair { char *a, *b; };
struct wide { struct pair p; long n[6]; };
struct nest { int k; struct wide w[2]; };

static struct pair make_pair(void)
{
	struct pair p = { malloc(10), malloc(20) };
	return p;
}

static struct wide widen(struct pair p)
{
	struct wide w = { .p = p };
	return w;
}

static void close_all(struct nest n)
{
	for (int i = 0; i < 2; i++) {
		free(n.w[i].p.a);
		free(n.w[i].p.b);
	}
}

int main(void)
{
	struct nest n = { 2, { widen(make_pair()), widen(make_pair()) } };
	struct nest copy;
	copy = n;
	n = (struct nest){ 0 };
	close_all(copy);
	return n.k;
}
