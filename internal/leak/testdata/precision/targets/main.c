// One of two functions in two files makes a block, by a pointer: the story goes
// through the one whose name comes first, in whatever order the files come.
#include <stdlib.h>

void *first_make(void);
void *second_make(void);

struct ops { void *(*make)(void); };
static const struct ops table[] = { { second_make }, { first_make } };

static void *made(const struct ops *o) { return o->make(); }

static void well(const struct ops *o)
{
    void *p = made(o);
    free(p);
}

static void badly(const struct ops *o, int n)
{
    void *p = made(o); // alloc: p
    if (n)
        return; // leak: p
    free(p);
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        well(&table[i]);
        badly(&table[i], 0);
        badly(&table[i], 1);
    }
    return 0;
}
