// Structs that hold pointers are copied by assignment, memcpy, memmove and through
// the heap: the pointers go with them.
#include <stdlib.h>
#include <string.h>

struct pair { char *a, *b; };
struct wide { char pad[40]; struct pair p; char *c; };

static void assigned(void)
{
    struct pair p = { strdup("a"), strdup("b") }, q;
    q = p;
    free(q.a);
    free(q.b);
}

static void copied(void)
{
    struct wide w = { .p = { strdup("a"), NULL }, .c = strdup("c") }, v;
    memcpy(&v, &w, sizeof v);
    memset(&w, 0, sizeof w);
    free(v.p.a);
    free(v.c);
}

static void through_heap(void)
{
    struct pair p = { strdup("a"), NULL };
    struct pair *h = malloc(sizeof *h);
    if (!h)
        abort();
    *h = p;
    free(h->a);
    free(h);
}

static void shifted(void)
{
    char *v[3] = { strdup("a"), strdup("b"), NULL };
    free(v[0]);
    memmove(v, v + 1, 2 * sizeof *v);
    free(v[0]);
}

static void half_freed(void)
{
    struct pair p, q;
    p.a = strdup("a");
    p.b = strdup("b"); // alloc: half
    memcpy(&q, &p, sizeof q);
    p.a = p.b = NULL;
    free(q.a);
} // leak: half

static void zeroed(void)
{
    struct pair p = { strdup("a"), NULL }; // alloc: zeroed
    memset(&p, 0, sizeof p); // leak: zeroed
}

static void heap_lost(void)
{
    struct pair p = { strdup("a"), NULL }; // alloc: heap
    struct pair *h = malloc(sizeof *h);
    if (!h)
        abort();
    memcpy(h, &p, sizeof p);
    memset(&p, 0, sizeof p);
    free(h); // leak: heap
}

static void shifted_over(void)
{
    char *v[3] = { strdup("a"), NULL, NULL }; // alloc: shifted
    memmove(v, v + 1, 2 * sizeof *v); // leak: shifted
    free(v[0]);
}

int main(void)
{
    assigned();
    copied();
    through_heap();
    shifted();
    half_freed();
    zeroed();
    heap_lost();
    shifted_over();
    return 0;
}
