// An array of pointers that grows; leaky: taking an element out by moving the
// last into its place forgets it, or the container forgets the items.
#include <stdlib.h>
#include <string.h>

struct vec { char **item; int n, cap; };

static void append(struct vec *v, const char *s)
{
    if (v->n == v->cap) {
        int cap = v->cap ? 2 * v->cap : 2;
        char **p = realloc(v->item, (size_t)cap * sizeof *p);
        if (!p)
            abort();
        v->item = p;
        v->cap = cap;
    }
    v->item[v->n++] = strdup(s); // alloc: text
}

static void removed(struct vec *v, int i)
{
    free(v->item[i]);
    v->item[i] = v->item[--v->n];
}

static void forgotten(struct vec *v, int i)
{
    v->item[i] = v->item[--v->n]; // leak-missed: text
}

static void release(struct vec *v)
{
    for (int i = 0; i < v->n; i++)
        free(v->item[i]);
    free(v->item);
}

static void release_badly(struct vec *v)
{
    for (int i = 0; i < v->n; i++)
        free(v->item[i]);
    v->item = NULL; // leak: items
    v->n = v->cap = 0;
}

static void clean(void)
{
    struct vec v = { NULL, 0, 0 };
    append(&v, "a");
    append(&v, "b");
    append(&v, "c");
    removed(&v, 0);
    release(&v);
}

static void leaky(void)
{
    struct vec v = { NULL, 0, 0 };
    append(&v, "a");
    append(&v, "b");
    forgotten(&v, 0);
    release(&v);
}

static void items_lost(void)
{
    struct vec v = { NULL, 0, 0 };
    append(&v, "a"); // alloc: items
    release_badly(&v);
}

int main(void)
{
    clean();
    leaky();
    items_lost();
    return 0;
}
// limit-missed: an element over which another is moved
