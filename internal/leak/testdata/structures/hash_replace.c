// An entry that is looked up by name gets a new value; leaky: what it had is
// forgotten. Entries that are reached by number are others each time.
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 4 };
struct entry { char *name, *value; struct entry *next; };
struct dict { struct entry *slot[SLOTS]; };

static unsigned place(const char *s) { return (unsigned char)s[0] % SLOTS; }

static void insert(struct dict *d, const char *name, const char *value)
{
    struct entry *e = malloc(sizeof *e);
    if (!e)
        abort();
    e->name = strdup(name);
    e->value = strdup(value); // alloc: old
    e->next = d->slot[place(name)];
    d->slot[place(name)] = e;
}

static void put(struct dict *d, const char *name, const char *value)
{
    for (struct entry *e = d->slot[place(name)]; e; e = e->next)
        if (strcmp(e->name, name) == 0) {
            free(e->value);
            e->value = strdup(value);
            return;
        }
    insert(d, name, value);
}

static void put_badly(struct dict *d, const char *name, const char *value)
{
    for (struct entry *e = d->slot[place(name)]; e; e = e->next)
        if (strcmp(e->name, name) == 0) {
            e->value = strdup(value); // leak: old "e->value"
            return;
        }
    insert(d, name, value);
}

static void clear(struct dict *d)
{
    for (int i = 0; i < SLOTS; i++)
        while (d->slot[i]) {
            struct entry *e = d->slot[i];
            d->slot[i] = e->next;
            free(e->name);
            free(e->value);
            free(e);
        }
}

static void clean(void)
{
    struct dict d = { { NULL } };
    put(&d, "a", "1");
    put(&d, "b", "2");
    put(&d, "a", "3");
    clear(&d);
}

static void leaky(void)
{
    struct dict d = { { NULL } };
    put_badly(&d, "a", "1");
    put_badly(&d, "a", "2");
    clear(&d);
}

// By number: no entry gets a second value.
static void fill(struct dict *d, int i, const char *value)
{
    struct entry *e = d->slot[i];
    e->value = strdup(value);
}

static void by_number(void)
{
    struct dict d = { { NULL } };
    for (int i = 0; i < SLOTS; i++) {
        d.slot[i] = calloc(1, sizeof *d.slot[i]);
        if (!d.slot[i])
            abort();
    }
    for (int i = 0; i < SLOTS; i++)
        fill(&d, i, "x");
    clear(&d);
}

int main(void)
{
    clean();
    leaky();
    by_number();
    return 0;
}
