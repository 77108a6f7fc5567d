// A function leaves the object in its caller's variable.
// run: 3
// run: 0
#include <stdio.h>
#include <stdlib.h>

static int load(int n, int **out)
{
    int *v;

    if (n <= 0)
        return -1;
    v = malloc(n * sizeof *v);
    if (!v)
        return -1;
    for (int i = 0; i < n; i++)
        v[i] = i * i;
    *out = v;
    return 0;
}

static int last(int n)
{
    int *v, r;

    if (load(n, &v) != 0)
        return -1;
    r = v[n - 1];
    return r;
}

int main(int argc, char **argv)
{
    printf("%d\n", last(argc > 1 ? atoi(argv[1]) : 3));
    return 0;
}
