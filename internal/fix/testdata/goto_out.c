// A goto that goes to the wrong label, and a return where the others go to the cleanup.
// run: 2
// run: 40
// run: 7
#include <stdio.h>
#include <stdlib.h>

static int wrong(int n)
{
    int *rows = NULL, *cols = NULL;
    int rc = -1;

    rows = calloc(n, sizeof *rows);
    if (!rows)
        goto out;
    if (n > 32) {
        rc = -2;
        goto out;
    }
    cols = calloc(n, sizeof *cols);
    if (!cols)
        goto out_rows;
    rc = rows[0] + cols[0];
    free(cols);
out_rows:
    free(rows);
out:
    return rc;
}

static int early(int n)
{
    int rc = -1;
    int *v = malloc(n * sizeof *v);

    if (!v)
        return -1;
    for (int i = 0; i < n; i++)
        v[i] = i;
    if (n == 7)
        return -7;
    if (n > 30)
        goto out;
    rc = v[n - 1];
out:
    free(v);
    return rc;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2;
    printf("%d %d\n", wrong(n), early(n));
    return 0;
}
