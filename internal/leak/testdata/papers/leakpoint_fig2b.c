// A handler leaves its context in an array of the connection; run twice, it
// overwrites the first.
// paper: LeakPoint, figure 2b (lighttpd): leak, lost where the array element is overwritten
#include <stdlib.h>

enum { PLUGINS = 4, MINE = 2 };
struct connection { void *context[PLUGINS]; };
struct rewrite { int state; };

static struct rewrite *rewrite_new(void)
{
    struct rewrite *r = calloc(1, sizeof *r);
    if (!r)
        abort();
    return r;
}

static int handle(struct connection *c)
{
    struct rewrite *r = rewrite_new();
    c->context[MINE] = r; // leak: context
    return r->state++;
}

static int handle_well(struct connection *c)
{
    struct rewrite *r;
    if (!c->context[MINE]) {
        r = rewrite_new();
        c->context[MINE] = r;
    } else {
        r = c->context[MINE];
    }
    return r->state++;
}

static void close_connection(struct connection *c)
{
    free(c->context[MINE]);
    free(c);
}

static void serve(int (*handler)(struct connection *))
{
    struct connection *c = calloc(1, sizeof *c);
    if (!c)
        return;
    handler(c); // alloc: context
    handler(c);
    close_connection(c);
}

int main(void)
{
    serve(handle);
    serve(handle_well);
    return 0;
}
