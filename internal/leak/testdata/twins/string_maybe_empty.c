// As idiom_nonempty_string_length.c, but the byte behind the arrow is not looked at, so
// the field may be empty.
#include <stdlib.h>
#include <string.h>

int lookup(const char *pat, int (*find)(const char *))
{
    char *field = NULL;
    int fieldlen;
    const char *f = strstr(pat, "->");

    if (f != NULL) {
        fieldlen = strlen(pat) - (f - pat) - 2;
        field = malloc(fieldlen + 1); // alloc: o0
        if (!field)
            abort();
        memcpy(field, f + 2, fieldlen + 1);
    } else
        fieldlen = 0;
    if (find(pat)) {
        if (field)
            free(field);
        return 1;
    }
    if (fieldlen)
        free(field);
    return 0; // leak: o0
}

static int none(const char *s) { return s[0] == 0; }

int main(void)
{
    return lookup("a", none) + lookup("a->", none) + lookup("a->b", none);
}
