// Ownership is handed over by a field of a field.
#include <stdlib.h>
#include <string.h>

struct store { char *name; char *motto; };
struct server { struct store *store; struct store own; };

static void adopt(struct server *s, char *name)
{
    free(s->store->name);
    s->store->name = name;
}

static void adopt_own(struct server *s, char *name)
{
    free(s->own.name);
    s->own.name = name;
}

static void adopt_badly(struct server *s, char *name)
{
    s->store->name = name;
}

static struct server *server_new(void)
{
    struct server *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->store = calloc(1, sizeof *s->store);
    if (!s->store)
        abort();
    return s;
}

static void server_free(struct server *s)
{
    free(s->store->name);
    free(s->store->motto);
    free(s->store);
    free(s->own.name);
    free(s->own.motto);
    free(s);
}

static void server_free_badly(struct server *s)
{
    free(s->store->motto);
    free(s->store);
    free(s->own.name);
    free(s->own.motto);
    free(s);
}

static char *make(const char *s)
{
    char *p = strdup(s);
    if (!p)
        abort();
    return p;
}

static void well(void)
{
    struct server *s = server_new();
    adopt(s, make("a"));
    adopt(s, make("b"));
    adopt_own(s, make("c"));
    s->store->motto = make("d");
    server_free(s);
}

static void replaced(void)
{
    struct server *s = server_new();
    adopt(s, make("a")); // alloc: replaced
    adopt_badly(s, make("b")); // leak-missed: replaced
    server_free(s);
}

static void left(void)
{
    struct server *s = server_new();
    adopt(s, make("a")); // alloc: left
    server_free_badly(s); // leak-missed: left
}

static void direct(void)
{
    struct server *s = server_new();
    s->own.motto = make("m"); // alloc: motto
    s->own.motto = make("n"); // leak: motto
    server_free(s);
}

int main(void)
{
    well();
    replaced();
    left();
    direct();
    return 0;
}
// limit-missed: in a field of a field that a callee sets
