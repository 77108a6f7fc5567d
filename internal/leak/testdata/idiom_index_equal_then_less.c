// i == count on the path that loses p, so the loop over i < count cannot run. The leak at "return
// 0" is real.
#include <stdlib.h>
int check(int);
int parse(const int *v, unsigned count) {
    unsigned i;
    char *p = NULL;
    for (i = 1; i < count; ) {
        if (v[i] != 7) break;
        i++;
        p = malloc(8); // alloc: o0
        if (!p) return 2;
        if (i == count) continue;
        free(p);
        p = NULL;
        i++;
    }
    if (i != count) {
        for (; i < count; i++)
            if (check(v[i])) return 1;
    }
    return 0; // leak: o0
}
