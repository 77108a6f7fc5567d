// f[2] != 0 makes fieldlen > 0, so fieldlen != 0 exactly when field != NULL.
#include <stdlib.h>
#include <string.h>
int lookup(const char *pat, int (*find)(const char *)) {
    char *field = NULL;
    int fieldlen;
    const char *f = strstr(pat, "->");
    if (f != NULL && f[2] != 0) {
        fieldlen = strlen(pat) - (f - pat) - 2;
        field = malloc(fieldlen + 1); // alloc: o0
        if (!field) abort();
        memcpy(field, f + 2, fieldlen + 1);
    } else fieldlen = 0;
    if (find(pat)) { if (field) free(field); return 1; }
    if (fieldlen) free(field);
    return 0; // leak-false: o0
}
// limit-false: a byte that is not 0 means that a string is not empty
