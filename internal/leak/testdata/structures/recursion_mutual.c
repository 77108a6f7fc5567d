// Functions that call one another make, walk and free a structure of two kinds
// of nodes; leaky: one kind forgets its children, or the result is forgotten.
#include <stdlib.h>
#include <string.h>

struct group;
struct item { char *name; struct group *members; };
struct group { struct item *first; struct group *next; };

static void group_free(struct group *g);

static void item_free(struct item *i)
{
    if (!i)
        return;
    free(i->name);
    group_free(i->members);
    free(i);
}

static void group_free(struct group *g)
{
    while (g) {
        struct group *next = g->next;
        item_free(g->first);
        free(g);
        g = next;
    }
}

static struct group *group_new(int depth);

static struct item *item_new(int depth)
{
    struct item *i = calloc(1, sizeof *i);
    if (!i)
        return NULL;
    i->name = strdup("item");
    i->members = group_new(depth - 1); // alloc: members
    return i;
}

static struct group *group_new(int depth)
{
    struct group *g;
    if (depth == 0)
        return NULL;
    g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->first = item_new(depth);
    return g;
}

// Frees the items, and not what is in them.
static void group_free_badly(struct group *g)
{
    while (g) {
        struct group *next = g->next;
        if (g->first) {
            free(g->first->name);
            free(g->first); // leak: members
        }
        free(g);
        g = next;
    }
}

static void clean(void)
{
    struct item *i = item_new(2);
    item_free(i);
}

static void leaky(void)
{
    struct group *g = group_new(2);
    group_free_badly(g);
}

static void forgotten(int n)
{
    struct item *i = item_new(n); // alloc: item
    if (!i)
        return;
    if (n > 1)
        return; // leak: item
    item_free(i);
}

int main(void)
{
    clean();
    leaky();
    forgotten(1);
    forgotten(2);
    return 0;
}
