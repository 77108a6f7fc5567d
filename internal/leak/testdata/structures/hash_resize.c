// A hash table moves its entries into a larger one. Leaky: the old array of
// chains is not freed; the entries of a chain after the first are not moved.
#include <stdlib.h>

struct entry { unsigned key; struct entry *next; };
struct table { struct entry **slot; unsigned size; };

static void init(struct table *t, unsigned size)
{
    t->slot = calloc(size, sizeof *t->slot);
    if (!t->slot)
        abort();
    t->size = size;
}

static void add(struct table *t, unsigned key)
{
    struct entry *e = malloc(sizeof *e); // alloc: entry
    if (!e)
        abort();
    e->key = key;
    e->next = t->slot[key % t->size];
    t->slot[key % t->size] = e;
}

static void move(struct entry **slot, unsigned size, struct entry *e)
{
    e->next = slot[e->key % size];
    slot[e->key % size] = e;
}

static void resize(struct table *t, unsigned size)
{
    struct entry **slot = calloc(size, sizeof *slot);
    if (!slot)
        abort();
    for (unsigned i = 0; i < t->size; i++) {
        struct entry *e = t->slot[i], *next;
        for (; e; e = next) {
            next = e->next;
            move(slot, size, e);
        }
    }
    free(t->slot);
    t->slot = slot;
    t->size = size;
}

static void resize_array_lost(struct table *t, unsigned size)
{
    struct entry **slot = calloc(size, sizeof *slot);
    if (!slot)
        abort();
    for (unsigned i = 0; i < t->size; i++) {
        struct entry *e = t->slot[i], *next;
        for (; e; e = next) {
            next = e->next;
            move(slot, size, e);
        }
    }
    t->slot = slot; // leak: array
    t->size = size;
}

static void resize_chains_lost(struct table *t, unsigned size)
{
    struct entry **slot = calloc(size, sizeof *slot);
    if (!slot)
        abort();
    for (unsigned i = 0; i < t->size; i++)
        if (t->slot[i])
            move(slot, size, t->slot[i]); // leak-missed: entry
    free(t->slot);
    t->slot = slot;
    t->size = size;
}

static void destroy(struct table *t)
{
    for (unsigned i = 0; i < t->size; i++) {
        while (t->slot[i]) {
            struct entry *e = t->slot[i];
            t->slot[i] = e->next;
            free(e);
        }
    }
    free(t->slot);
}

static void well(void)
{
    struct table t;
    init(&t, 2);
    for (unsigned i = 0; i < 6; i++)
        add(&t, i);
    resize(&t, 8);
    destroy(&t);
}

static void array_lost(void)
{
    struct table t;
    init(&t, 2); // alloc: array
    add(&t, 1);
    resize_array_lost(&t, 8);
    destroy(&t);
}

static void chains_lost(void)
{
    struct table t;
    init(&t, 2);
    for (unsigned i = 0; i < 6; i++)
        add(&t, i);
    resize_chains_lost(&t, 8);
    destroy(&t);
}

int main(void)
{
    well();
    array_lost();
    chains_lost();
    return 0;
}
// limit-missed: the rest of each chain, when a table grows
