// Clean. A number that was compared before a call is the same after it.
#include <stdlib.h>

struct table { int size; double *array; };

static void set(struct table *t, int n) {
    t->array = malloc(n * sizeof(double));
    t->size = n;
}

void resize(struct table *t, int n) {
    int old = t->size;
    if (n > old) set(t, n);
    if (n < old) t->array = NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    struct table t = { 0, NULL };
    resize(&t, argc);
    free(t.array);
    return 0;
}
