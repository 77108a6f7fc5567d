// The same through out parameters.
#include <stdlib.h>
int more(int *);
static void collect(int **pp, unsigned *n) {
    int v;
    *pp = NULL;
    *n = 0;
    while (more(&v)) {
        int *q = realloc(*pp, (*n + 1) * sizeof *q);
        if (q == NULL) abort();
        *pp = q;
        (*pp)[(*n)++] = v;
    }
}
int first(void) {
    int *p, r;
    unsigned n;
    collect(&p, &n); // alloc: o0
    if (n == 0) return -1;
    r = p[0];
    free(p);
    return r;
}
