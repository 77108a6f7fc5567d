// Only some of the branches that meet have released it.
// run: 0
// run: 1
// run: 2
#include <stdio.h>
#include <stdlib.h>

static int other(int m)
{
    char *p = malloc(4);
    int r = m;
    if (!p)
        return -1;
    p[0] = (char)m;
    if (m == 1) {
        r += p[0];
        free(p);
    }
    return r;
}

static int either(int m)
{
    char *p = malloc(4);
    int r = m;
    if (!p)
        return -1;
    p[0] = (char)m;
    if (m == 1) {
        r += p[0];
        free(p);
    } else {
        r -= p[0];
    }
    return r;
}

static int cases(int m)
{
    char *p = malloc(4);
    int r = 0;
    if (!p)
        return -1;
    p[0] = (char)m;
    switch (m) {
    case 0:
        r = p[0] + 1;
        free(p);
        break;
    case 1:
        r = p[0];
        break;
    default:
        free(p);
        break;
    }
    return r;
}

int main(int argc, char **argv)
{
    int m = argc > 1 ? atoi(argv[1]) : 0;
    printf("%d %d %d\n", other(m), either(m), cases(m));
    return 0;
}
