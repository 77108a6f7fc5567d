// An array of strings. Leaky: only the array is freed; one element is left out;
// an element is overwritten; the error path frees only the array.
#include <stdlib.h>
#include <string.h>

static char **make(int n)
{
    char **v = malloc((size_t)n * sizeof *v);
    if (!v)
        abort();
    for (int i = 0; i < n; i++)
        v[i] = strdup("x"); // alloc: element
    return v;
}

static void free_strings(char **v, int n)
{
    for (int i = 0; i < n; i++)
        free(v[i]);
    free(v);
}

static void clean(int n)
{
    char **v = make(n);
    free_strings(v, n);
}

static void shallow(int n)
{
    char **v = make(n);
    free(v); // leak: element
}

static void overwritten(void)
{
    char *v[2];
    v[0] = strdup("a"); // alloc: first
    v[1] = strdup("b");
    v[0] = strdup("c"); // leak: first
    free(v[0]);
    free(v[1]);
}

static int in_loop(int n, int bad)
{
    char **v = calloc((size_t)n, sizeof *v);
    if (!v)
        return -1;
    for (int i = 0; i < n; i++) {
        v[i] = strdup("y"); // alloc: part
        if (i == bad) {
            free(v); // leak: part
            return -1;
        }
    }
    free_strings(v, n);
    return 0;
}

int main(void)
{
    clean(3);
    shallow(3);
    overwritten();
    in_loop(3, 9);
    in_loop(3, 1);
    return 0;
}
