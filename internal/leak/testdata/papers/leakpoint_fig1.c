// Entries of a hash table are freed far from where they are made; their names
// are not.
// paper: LeakPoint, figure 1 (twolf): leak of the name, lost where the entry is freed
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 16 };
struct entry { char *name; int number; struct entry *next; };

static struct entry **table_new(void)
{
    struct entry **t = calloc(SLOTS, sizeof *t);
    if (!t)
        abort();
    return t;
}

static int add(struct entry **table, const char *name)
{
    unsigned sum = 0;
    for (const char *s = name; *s; s++)
        sum += (unsigned char)*s;
    struct entry *e = malloc(sizeof *e);
    if (!e)
        abort();
    e->number = (int)sum;
    e->name = malloc(strlen(name) + 1); // alloc: name
    if (!e->name)
        abort();
    strcpy(e->name, name);
    e->next = table[sum % SLOTS];
    table[sum % SLOTS] = e;
    return e->number;
}

static void delete_table(struct entry **table)
{
    for (int i = 0; i < SLOTS; i++) {
        struct entry *e = table[i], *gone;
        if (!e)
            continue;
        gone = e;
        while (e->next) {
            e = e->next;
            free(gone); // leak-missed: name
            gone = e;
        }
        free(e); // leak-missed: name
    }
    free(table);
}

static void delete_well(struct entry **table)
{
    for (int i = 0; i < SLOTS; i++) {
        struct entry *e = table[i];
        while (e) {
            struct entry *gone = e;
            e = e->next;
            free(gone->name);
            free(gone);
        }
    }
    free(table);
}

int main(void)
{
    struct entry **a = table_new(), **b = table_new();
    add(a, "net");
    add(a, "ten");
    add(b, "net");
    add(b, "ten");
    delete_table(a);
    delete_well(b);
    return 0;
}
// limit-missed: in entries of a table that a function receives and frees
