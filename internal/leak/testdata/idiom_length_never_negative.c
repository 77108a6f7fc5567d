// The callee returns -1 only when it allocated nothing; otherwise a length, which is never -1.
#include <stdlib.h>
#include <string.h>
int encode(char *dst, const char *src) {
    char *start = dst;
    for (; *src; src++) *dst++ = *src ^ 1;
    *dst = 0;
    return (int)(dst - start);
}
int aencode(char **out, const char *src) {
    int len;
    char *buf = calloc(4, strlen(src) + 1);
    if (buf == NULL) return -1;
    len = encode(buf, src);
    *out = realloc(buf, len + 1);
    if (*out == NULL) *out = buf;
    return len;
}
void show(const char *);
void print(const char *s) {
    char *out;
    if (aencode(&out, s) == -1) return; // alloc: o0; leak-false: o0
    show(out);
    free(out);
}
// limit-false: a difference of two pointers is taken to be possibly negative
