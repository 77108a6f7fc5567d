// A pointer is put in a local struct, the struct is copied with memcpy into a heap block that a
// global table keeps.
#include <stdlib.h>
#include <string.h>
struct cfg { const char *name; int type; union { struct { int *addr; int *vals; } e; struct { long lo, hi; } n; } data; };
struct cfg *table[100]; int used;
static void *zmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
int reg(const struct cfg *c) {
    struct cfg *n = zmalloc(sizeof *n);
    memcpy(n, c, sizeof *n);
    table[used++] = n;
    return 1;
}
void addEnum(const char *name, int *vals) {
    int dummy;
    struct cfg c = { .name = name, .type = 1, .data.e = { .addr = &dummy, .vals = vals } };
    c.data.e.addr = NULL;
    reg(&c);
}
int registerEnum(const char *name, int n) {
    int *v = zmalloc((n + 1) * sizeof *v);
    for (int i = 0; i < n; i++) v[i] = i;
    v[n] = -1;
    addEnum(name, v);
    return 0;
}
