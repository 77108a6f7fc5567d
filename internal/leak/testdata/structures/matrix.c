// Rows of a matrix, each its own block; leaky: the error path in the middle
// frees the table of rows and not the rows.
#include <stdlib.h>

static void free_matrix(double **m, int rows)
{
    for (int i = 0; i < rows; i++)
        free(m[i]);
    free(m);
}

static double **matrix(int rows, int cols)
{
    double **m = malloc((size_t)rows * sizeof *m);
    if (!m)
        return NULL;
    for (int i = 0; i < rows; i++) {
        m[i] = cols > 9 ? NULL : calloc((size_t)cols, sizeof **m);
        if (!m[i]) {
            free_matrix(m, i);
            return NULL;
        }
    }
    return m;
}

static double **ragged(int rows)
{
    double **m = malloc((size_t)rows * sizeof *m);
    if (!m)
        return NULL;
    for (int i = 0; i < rows; i++) {
        m[i] = i > 2 ? NULL : calloc((size_t)i + 1, sizeof **m); // alloc: row
        if (!m[i]) {
            free(m); // leak: row
            return NULL;
        }
    }
    return m;
}

int main(void)
{
    double **a = matrix(3, 3), **b = matrix(3, 10), **c = ragged(5);
    if (a)
        free_matrix(a, 3);
    if (b)
        free_matrix(b, 3);
    if (c)
        free_matrix(c, 5);
    return 0;
}
