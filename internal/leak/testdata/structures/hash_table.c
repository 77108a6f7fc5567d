// A hash table with chains. Leaky: replacing a value forgets the old one,
// removing an entry forgets its key, freeing the table forgets the chains.
#include <stdlib.h>
#include <string.h>

enum { SIZE = 8 };
struct entry { char *key, *value; struct entry *next; };
struct table { struct entry *slot[SIZE]; };

static unsigned hash(const char *s)
{
    unsigned h = 0;
    while (*s)
        h = h * 31 + (unsigned char)*s++;
    return h % SIZE;
}

static struct entry *lookup(struct table *t, const char *key)
{
    struct entry *e;
    for (e = t->slot[hash(key)]; e; e = e->next)
        if (strcmp(e->key, key) == 0)
            return e;
    return NULL;
}

static void add(struct table *t, const char *key, const char *value)
{
    struct entry *e = malloc(sizeof *e); // alloc: entry
    unsigned h = hash(key);
    if (!e)
        abort();
    e->key = strdup(key); // alloc: key
    e->value = strdup(value); // alloc: value
    e->next = t->slot[h];
    t->slot[h] = e;
}

static void set(struct table *t, const char *key, const char *value)
{
    struct entry *e = lookup(t, key);
    if (!e) {
        add(t, key, value);
        return;
    }
    free(e->value);
    e->value = strdup(value);
}

static void set_badly(struct table *t, const char *key, const char *value)
{
    struct entry *e = lookup(t, key);
    if (!e) {
        add(t, key, value);
        return;
    }
    e->value = strdup(value); // leak-missed: value
}

static void discard(struct table *t, const char *key, int keep_key)
{
    struct entry **p;
    for (p = &t->slot[hash(key)]; *p; p = &(*p)->next) {
        if (strcmp((*p)->key, key) == 0) {
            struct entry *e = *p;
            *p = e->next;
            if (!keep_key)
                free(e->key);
            free(e->value);
            free(e); // leak-missed: key
            return;
        }
    }
}

static void free_table(struct table *t)
{
    for (int i = 0; i < SIZE; i++) {
        struct entry *e = t->slot[i];
        while (e) {
            struct entry *next = e->next;
            free(e->key);
            free(e->value);
            free(e);
            e = next;
        }
    }
    free(t);
}

static void clean(void)
{
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return;
    set(t, "a", "1");
    set(t, "b", "2");
    set(t, "a", "3");
    discard(t, "b", 0);
    free_table(t);
}

static void leaky(void)
{
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return;
    set(t, "a", "1");
    set_badly(t, "a", "2");
    set(t, "b", "2");
    discard(t, "b", 1);
    free_table(t);
}

static void shallow(void)
{
    struct table *t = calloc(1, sizeof *t);
    if (!t)
        return;
    add(t, "a", "1");
    free(t); // leak: entry
}

int main(void)
{
    clean();
    leaky();
    shallow();
    return 0;
}
// limit-missed: in a table whose functions are called from elsewhere: replaced, removed, or freed with the table
