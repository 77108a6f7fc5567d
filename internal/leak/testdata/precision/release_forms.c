// Releasing functions come in many forms, too. In each pair one releases and one
// only looks as if it did.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct thing { char *name; };

static struct thing *thing(void)
{
    struct thing *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->name = NULL;
    return t;
}

#define FREE(p) do { free(p); (p) = NULL; } while (0)

static int close_thing(struct thing *t)
{
    if (!t)
        return -1;
    free(t->name);
    free(t);
    return 0;
}

static void clear(struct thing **t)
{
    free(*t);
    *t = NULL;
}

static void forget(struct thing **t) { *t = NULL; }

static void wipe(struct thing *t, size_t n)
{
    if (t == NULL)
        return;
    memset(t, 0, n);
    free(t);
}

static void wipe_only(struct thing *t, size_t n)
{
    if (t == NULL)
        return;
    memset(t, 0, n);
}

static void by_flag(struct thing *t, int final)
{
    if (final)
        free(t);
}

static struct thing *chained(struct thing *t)
{
    free(t);
    return NULL;
}

static void many(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    while (n-- > 0)
        free(va_arg(ap, void *));
    va_end(ap);
}

static void each(struct thing **v, int n, void (*f)(struct thing *))
{
    for (int i = 0; i < n; i++)
        f(v[i]);
}

static void one(struct thing *t) { free(t); }
static void none(struct thing *t) { t->name = NULL; }

static void well(void)
{
    struct thing *a = thing(), *b = thing(), *c = thing(), *d = thing(), *e = thing(), *f = thing(), *g = thing(), *h = thing();
    FREE(a);
    close_thing(b);
    clear(&c);
    wipe(d, sizeof *d);
    by_flag(e, 1);
    f = chained(f);
    many(1, g);
    each(&h, 1, one);
}

static void cleared(void)
{
    struct thing *t = thing(); // alloc: cleared
    forget(&t); // leak: cleared
}

static void wiped(void)
{
    struct thing *t = thing(); // alloc: wiped
    wipe_only(t, sizeof *t);
} // leak: wiped

static void flagged(void)
{
    struct thing *t = thing(); // alloc: flagged
    by_flag(t, 0);
} // leak: flagged

static void called(void)
{
    struct thing *t = thing(); // alloc: called
    each(&t, 1, none);
} // leak-missed: called

static void closed(int n)
{
    struct thing *t = thing(); // alloc: closed
    if (n > 0 && close_thing(t) == 0)
        return;
} // leak: closed

int main(void)
{
    well();
    cleared();
    wiped();
    flagged();
    called();
    closed(0);
    closed(1);
    return 0;
}
// limit-missed: given to a function that calls another for each element of an array
