// An array of structs, each of which owns text. Leaky: the texts are left out;
// an element is overwritten; growing forgets the old array.
#include <stdlib.h>
#include <string.h>

struct field { char *key, *value; };
struct form { struct field *fields; int n; };

static char *copy(const char *s)
{
    char *p = strdup(s);
    if (!p)
        abort();
    return p;
}

static void grow(struct form *f)
{
    struct field *p = realloc(f->fields, (size_t)(f->n + 1) * sizeof *p);
    if (!p)
        abort();
    f->fields = p;
}

static void add(struct form *f, const char *key, const char *value)
{
    grow(f);
    f->fields[f->n].key = copy(key); // alloc: key
    f->fields[f->n].value = copy(value); // alloc: value
    f->n++;
}

static void add_growing_badly(struct form *f, const char *key)
{
    struct field *p = calloc((size_t)f->n + 1, sizeof *p);
    if (!p)
        abort();
    if (f->n)
        memcpy(p, f->fields, (size_t)f->n * sizeof *p);
    p[f->n].key = copy(key);
    p[f->n++].value = NULL;
    f->fields = p; // leak: array
}

static void set(struct form *f, int i, const char *value)
{
    free(f->fields[i].value);
    f->fields[i].value = copy(value);
}

static void set_badly(struct form *f, int i, const char *value)
{
    f->fields[i].value = copy(value); // leak-missed: value
}

static void destroy(struct form *f)
{
    for (int i = 0; i < f->n; i++) {
        free(f->fields[i].key);
        free(f->fields[i].value);
    }
    free(f->fields);
}

static void destroy_badly(struct form *f)
{
    for (int i = 0; i < f->n; i++)
        free(f->fields[i].value);
    free(f->fields); // leak-missed: key
}

static void well(void)
{
    struct form f = { NULL, 0 };
    add(&f, "a", "1");
    add(&f, "b", "2");
    set(&f, 0, "3");
    destroy(&f);
}

static void badly(void)
{
    struct form f = { NULL, 0 };
    add(&f, "a", "1");
    set_badly(&f, 0, "3");
    destroy_badly(&f);
}

static void grown(void)
{
    struct form f = { NULL, 0 };
    add(&f, "a", "1"); // alloc: array
    add_growing_badly(&f, "b");
    destroy(&f);
}

int main(void)
{
    well();
    badly();
    grown();
    return 0;
}
// limit-missed: in a field of an element of an array
