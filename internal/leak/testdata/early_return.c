// Early returns forget the buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int parse(const char *s)
{
    char *buf = malloc(16); // alloc: buf
    if (!buf)
        return -1;
    if (s[0] == 'b')
        return 1; // leak: buf "memory allocated by malloc and held by 'buf' is forgotten here"
    strcpy(buf, s);
    if (strchr(buf, ':') == NULL) {
        puts("no separator");
        return 2; // leak: buf
    }
    free(buf);
    return 0;
}

void nothing(int n)
{
    char *p = strdup("x"); // alloc: p
    if (n > 3) {
        puts(p);
        return; // leak: p
    }
    if (n > 2)
        free(p);
    else {
        puts(p);
    }
} // leak: p

int label(int n)
{
    int rc = -1;
    char *p = malloc(n); // alloc: goto
    if (!p)
        goto out;
    if (n > 10) {
        rc = -2;
        goto out; // leak: goto
    }
    rc = 0;
    free(p);
out:
    return rc;
}
