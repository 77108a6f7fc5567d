// The buffer and its counter grow together: n == 0 means p == NULL.
#include <stdlib.h>
int more(int *);
char *use(int *, size_t);
char *collect(void) {
    int *p = NULL, v;
    size_t n = 0;
    char *s = NULL;
    while (more(&v)) {
        int *q = realloc(p, (n + 1) * sizeof *p);
        if (q == NULL) abort();
        p = q;
        p[n++] = v;
    }
    if (n != 0) {
        s = use(p, n);
        free(p);
    }
    return s;
}
