// As idiom_type_without_function.c, but an object whose table has the function comes here
// too, and the copy given to it is lost.
#include <stdlib.h>
#include <string.h>

struct type { char *(*dup)(const char *k); };
struct dict { struct type *type; char *key; };

static char *copy(const char *k) { return strdup(k); }
struct type copying = { copy }, plain = { NULL };

void set(struct dict *d, const char *v) {
    if (d->type->dup) d->key = d->type->dup(strdup(v)); // alloc: o0; leak: o0
    else d->key = strdup(v);
}

void setcopy(struct dict *d, const char *v) { d->key = d->type->dup ? d->type->dup(v) : strdup(v); }

int main(int c, char **v) {
    (void)c;
    struct dict d = { &plain, NULL }, e = { &copying, NULL };
    set(&d, v[0]);
    set(&e, v[0]);
    free(d.key);
    free(e.key);
    return 0;
}
