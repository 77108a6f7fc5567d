// Whether it is there to release depends on what was tested before.
// run: 3
// run: 17
// run: 30
#include <stdio.h>
#include <stdlib.h>

static int limit(unsigned n)
{
    int fixed[16];
    int *v = fixed;
    int sum = 0;

    if (n > 16) {
        v = malloc(n * sizeof *v);
        if (!v)
            return -1;
    }
    for (unsigned i = 0; i < n; i++)
        v[i] = (int)i;
    for (unsigned i = 0; i < n; i++)
        sum += v[i];
    if (n > 17)
        free(v);
    return sum;
}

static void release(char *p, int borrowed)
{
    if (!borrowed)
        free(p);
}

static int render(int fast)
{
    char *page = malloc(128);
    int r;

    if (!page)
        return -1;
    page[0] = fast ? 'f' : 's';
    r = page[0];
    release(page, fast);
    return r;
}

static int try_free(char *p)
{
    free(p);
    return 1;
}

static int probe(int enabled)
{
    char *p = malloc(24);
    int ok;

    if (!p)
        return -1;
    p[0] = 'x';
    ok = enabled && try_free(p);
    return ok;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3;
    printf("%d %d %d\n", limit(n), render(n > 3), probe(n > 3));
    return 0;
}
