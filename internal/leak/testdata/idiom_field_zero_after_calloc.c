// a->count is 0 from calloc and never changed on the path that loses p, so 0 > upper is impossible.
// The leak at "return a" is real.
#include <stdlib.h>
struct args { unsigned count; int flags; };
struct parse { int upper; };
void mark(struct args *a) { a->flags++; }
struct args *parse(const struct parse *ps, int last) {
    struct args *a = calloc(1, sizeof *a);
    char *p;
    if (!a) abort();
    p = malloc(8); // alloc: o0
    if (!p) abort();
    if (last) mark(a); else free(p);
    if (ps->upper >= 0 && a->count > (unsigned)ps->upper) {
        free(a);
        return NULL;
    }
    return a; // leak: o0
}
