// Some branch misses the release.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int off_by_one(unsigned n)
{
    char *p = NULL;
    if (n > 16)
        p = malloc(n); // alloc: n17
    for (unsigned i = 0; i < n; i++)
        putchar('.');
    if (n > 17)
        free(p);
    return 0; // leak: n17
}

int kind(int k)
{
    char *p = malloc(3); // alloc: kind
    switch (k) {
    case 1:
        free(p);
        return 1;
    case 2:
        return 2; // leak: kind
    default:
        free(p);
    }
    return 0;
}

int shortcut(int a, int b)
{
    char *p = malloc(3); // alloc: shortcut
    if (a && b)
        free(p);
    return 0; // leak: shortcut
}

int second(int n)
{
    char *a = malloc(n); // alloc: second
    if (!a)
        return -1;
    char *b = malloc(n);
    if (!b)
        return -1; // leak: second
    free(a);
    free(b);
    return 0;
}

struct pair { char *a, *b; };

int field(int n)
{
    struct pair p = { malloc(n), // alloc: field
                      NULL };
    if (n > 3)
        return -1; // leak: field "held by 'p.a'"
    free(p.a);
    return 0;
}

int from_loop(char **v, int n)
{
    for (int i = 0; i < n; i++) {
        char *s = strdup(v[i]); // alloc: loop
        if (i % 3 == 0)
            return i; // leak: loop
        free(s);
    }
    return -1;
}
