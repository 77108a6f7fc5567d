// LeakPoint's first example from a web server: the handler of a repeated rewrite
// stores a new context over that of the first pass.
//
// run: 1 =>
// run: 2 => C=1/16
#include <stdlib.h>

struct context { int loops; int state; long pad; };
struct connection { void **plugin; };

static struct context *context_new(void)
{
	struct context *c = calloc(1, sizeof *c); // alloc: C
	return c;
}

static int handle(struct connection *con, int id)
{
	struct context *c = context_new();
	con->plugin[id] = c; // leak: C
	return ++c->loops;
}

static void reset(struct connection *con, int id)
{
	free(con->plugin[id]);
	con->plugin[id] = NULL;
}

int main(int argc, char **argv)
{
	struct connection con = { calloc(3, sizeof(void *)) };
	int n = argc > 1 ? atoi(argv[1]) : 1;
	for (int i = 0; i < n; i++)
		handle(&con, 1);
	reset(&con, 1);
	free(con.plugin);
	return 0;
}
