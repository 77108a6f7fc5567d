// A tree whose links are tagged words; all of it is released through them.
//
// run: =>
#include <stdint.h>
#include <stdlib.h>

typedef uintptr_t link;
struct inner { link kid[2]; };
struct leaf { int v; };

static link build(int depth)
{
	if (depth == 0) {
		struct leaf *l = malloc(sizeof *l);
		l->v = 1;
		return (link)l | 1;
	}
	struct inner *n = malloc(sizeof *n);
	n->kid[0] = build(depth - 1);
	n->kid[1] = build(depth - 1);
	return (link)n | 2;
}

static int release(link t)
{
	int sum = 0;
	if (t & 1) {
		struct leaf *l = (struct leaf *)(t & ~(link)3);
		sum = l->v;
		free(l);
		return sum;
	}
	struct inner *n = (struct inner *)(t - 2);
	sum = release(n->kid[0]) + release(n->kid[1]);
	free(n);
	return sum;
}

int main(void)
{
	return release(build(5)) != 32;
}
