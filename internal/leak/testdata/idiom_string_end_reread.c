// *s == 0 is known, s is not moved, so the next round ends the loop. The leak at the end of the
// function is real; the one at "return 1" is not.
#include <stdlib.h>
void keep(char *);
int parse(const char *s, int last) {
    char *p = NULL;
    for (;;) {
        char flag = *s++;
        if (flag == 0) break;
        if (flag == '?') return 1;
        p = malloc(8); // alloc: o0
        if (!p) return 2;
        if (*s == 0) {
            if (last) continue;
            free(p);
            break;
        }
        free(p);
        p = NULL;
        break;
    }
    return 0; // leak: o0
}
