#define _GNU_SOURCE
// What was stored is what is loaded, as long as nobody else can have written.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A flag behind a parameter says whether the allocation failed.
int flag_in_memory(int *failed, int n)
{
    char *p = malloc(n);
    *failed = p == NULL;
    if (*failed)
        return -1;
    free(p);
    return 0;
}

// The result of a function goes into a field, and the field is tested.
struct term { char *name; };
struct tty { struct term *term; };
static struct term *term_create(char **cause)
{
    struct term *t = malloc(sizeof *t);
    if (!t) {
        *cause = strdup("no memory");
        return NULL;
    }
    t->name = NULL;
    return t;
}

static int tty_open(struct tty *tty, char **cause)
{
    tty->term = term_create(cause);
    if (tty->term == NULL)
        return -1;
    return 0;
}

int opens(struct tty *tty)
{
    char *cause;
    if (tty_open(tty, &cause) != 0) {
        puts(cause);
        free(cause);
        return -1;
    }
    return 0;
}

int opens_badly(struct tty *tty)
{
    char *cause;
    if (tty_open(tty, &cause) != 0) { // alloc: cause
        puts(cause);
        return -1; // leak: cause
    }
    return 0;
}

// A load on one branch says nothing of a load on another.
char *two_branches(int n, int t)
{
    char *found = NULL;
    if (n > 3) {
        found = strdup("x");
        if (!found)
            return NULL;
        goto out;
    }
    if (asprintf(&found, "%d", n) < 0)
        return NULL;
out:
    if (t == 0 && found != NULL) {
        free(found);
        found = NULL;
    }
    return found;
}

// realloc moves what the old block held.
struct ctx { char *name; int n; };
static struct ctx *ctx_new(void)
{
    struct ctx *c = malloc(sizeof *c);
    if (!c)
        return NULL;
    c->name = strdup("c");
    return c;
}

static struct ctx *grow(struct ctx *c)
{
    struct ctx *bigger = realloc(c, 2 * sizeof *c);
    if (!bigger)
        return NULL;
    return bigger;
}

int grows(void)
{
    struct ctx *c = ctx_new(), *d;
    if (!c)
        return -1;
    d = grow(c);
    if (!d) {
        free(c->name);
        free(c);
        return -1;
    }
    free(d->name);
    free(d);
    return 0;
}

// A callee that leaves its result in a place and returns it too.
static void *grow_list(void **list, size_t n)
{
    void *p = realloc(*list, n);
    if (!p)
        abort();
    return *list = p;
}

struct array { char **data; size_t n; };
void extend(struct array *a)
{
    a->n += 8;
    a->data = grow_list((void **)&a->data, a->n * sizeof *a->data);
}

void extend_more(struct array *a)
{
    a->n += 8;
    grow_list((void **)&a->data, a->n * sizeof *a->data);
}
