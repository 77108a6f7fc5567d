// As idiom_field_zero_after_calloc.c, but the field is counted up while the memory is
// held.
#include <stdlib.h>
struct args { unsigned count; int flags; struct args *next; };
struct parse { int upper; };
static void mark(struct args *a) { a->count++; }
struct args *parse(const struct parse *ps, int n)
{
    struct args *a = calloc(1, sizeof *a);
    char *p;

    if (!a)
        abort();
    p = malloc(8); // alloc: o0
    if (!p)
        abort();
    if (n == 0) {
        mark(a);
    } else {
        free(p);
        p = NULL;
        for (int i = 0; i < n; i++)
            a->count++;
    }
    if (ps->upper != -1 && a->count > (unsigned)ps->upper) {
        free(a);
        return NULL; // leak: o0
    }
    free(p);
    return a;
}
int main(int argc, char **argv)
{
    struct parse ps = { 2 };
    (void)argv;
    free(parse(&ps, argc - 1));
    free(parse(&ps, 0));
    ps.upper = 0;
    free(parse(&ps, 0));
    return 0;
}
