// As idiom_length_never_negative.c, but an empty string gives -1 although there is memory.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static char *vis(char *dst, int c)
{
    if (c < ' ') {
        *dst++ = '\\';
        *dst++ = 'n';
    } else
        *dst++ = c;
    *dst = 0;
    return dst;
}

static int strvis(char *dst, const char *src)
{
    char c, *start;

    for (start = dst; (c = *src); src++)
        dst = vis(dst, c);
    *dst = 0;
    return dst - start;
}

static int stravis(char **outp, const char *src)
{
    char *buf;
    int len;

    buf = calloc(4, strlen(src) + 1);
    if (buf == NULL)
        return -1;
    len = strvis(buf, src);
    *outp = realloc(buf, len + 1);
    if (*outp == NULL)
        *outp = buf;
    return *src ? len : -1;
}

void print(const char *s)
{
    char *out;

    if (stravis(&out, s) == -1) // alloc: o0
        return; // leak: o0
    puts(out);
    free(out);
}

int main(void)
{
    print("a\n");
    print("");
    return 0;
}
