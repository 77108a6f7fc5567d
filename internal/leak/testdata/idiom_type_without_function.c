// Clean. The objects that come here have a table whose function is null.
#include <stdlib.h>
#include <string.h>

struct type { char *(*dup)(const char *k); };
struct dict { struct type *type; char *key; };

static char *copy(const char *k) { return strdup(k); }
struct type copying = { copy }, plain = { NULL };

void set(struct dict *d, const char *v) {
    if (d->type->dup) d->key = d->type->dup(strdup(v)); // alloc: o0; leak-false: o0
    else d->key = strdup(v);
}

void setcopy(struct dict *d, const char *v) { d->key = d->type->dup ? d->type->dup(v) : strdup(v); }

int main(int c, char **v) {
    (void)c;
    struct dict d = { &plain, NULL }, e = { &copying, NULL };
    set(&d, v[0]);
    setcopy(&e, v[0]);
    free(d.key);
    free(e.key);
    return 0;
}
// limit-false: objects with one table and with another are told apart only by where they come from
