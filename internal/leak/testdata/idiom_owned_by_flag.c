// Clean. What the result owns depends on the argument.
#include <stdlib.h>

struct object { void *ptr; };

struct object *load(int flags) {
    struct object *o = malloc(sizeof *o);
    if (!o) abort();
    if (flags) { o->ptr = NULL; return o; }
    o->ptr = malloc(4);
    return o;
}

int main(void) {
    struct object *o = load(0);
    free(o->ptr);
    free(o);
    o = load(2);
    free(o);
    return 0;
}
