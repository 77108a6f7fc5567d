// A registry of live blocks: added when made, removed when freed, and all that
// is left is freed at once.
// paper: AutoFix, figure 6: no leak; the registry is what repairs leaks
#include <stdlib.h>

enum { SLOTS = 8 };
struct registry { void *live[SLOTS]; int used; };

static void add(struct registry *r, void *p)
{
    if (r->used == SLOTS)
        abort();
    r->live[r->used++] = p;
}

static void removed(struct registry *r, void *p)
{
    for (int i = 0; i < r->used; i++)
        if (r->live[i] == p)
            r->live[i] = NULL;
}

static void fix(struct registry *r)
{
    for (int i = 0; i < r->used; i++)
        free(r->live[i]);
    r->used = 0;
}

static void repaired(int n)
{
    struct registry r = { { NULL }, 0 };
    for (int i = 0; i < n; i++) {
        char *p = malloc(4);
        if (!p)
            break;
        add(&r, p);
        if (i % 2) {
            free(p);
            removed(&r, p);
        }
    }
    fix(&r);
}

static void unrepaired(int n)
{
    struct registry r = { { NULL }, 0 };
    for (int i = 0; i < n; i++) {
        char *p = malloc(4); // alloc: p
        if (!p)
            abort();
        add(&r, p);
        if (i % 2) {
            free(p);
            removed(&r, p);
        }
    }
} // leak: p

int main(void)
{
    repaired(4);
    unrepaired(4);
    return 0;
}
