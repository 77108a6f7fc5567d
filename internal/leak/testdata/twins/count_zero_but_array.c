// As idiom_count_zero_means_null_out.c, but the array is there before anything is counted.
// run: /nowhere
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

static void *xreallocarray(void *p, size_t n, size_t m)
{
    void *q = reallocarray(p, n, m);
    if (!q) abort();
    return q;
}
static char *xstrdup(const char *s)
{
    char *p = strdup(s);
    if (!p) abort();
    return p;
}
static char *expand_path(const char *s) { return *s == '$' ? NULL : xstrdup(s); }

static void expand_paths(const char *s, char ***paths, unsigned *n, int ignore_errors)
{
    char *copy, *next, *tmp, resolved[PATH_MAX], *expanded, *path;
    unsigned i;

    *paths = NULL;
    *n = 0;
    copy = tmp = xstrdup(s);
    *paths = xreallocarray(NULL, 1, sizeof *paths);
    while ((next = strsep(&tmp, ":")) != NULL) {
        expanded = expand_path(next);
        if (expanded == NULL)
            continue;
        if (realpath(expanded, resolved) == NULL) {
            if (ignore_errors) {
                free(expanded);
                continue;
            }
            path = expanded;
        } else {
            path = xstrdup(resolved);
            free(expanded);
        }
        for (i = 0; i < *n; i++) {
            if (strcmp(path, (*paths)[i]) == 0)
                break;
        }
        if (i != *n) {
            free(path);
            continue;
        }
        *paths = xreallocarray(*paths, (*n) + 1, sizeof *paths);
        (*paths)[(*n)++] = path;
    }
    free(copy);
}

char *label(const char *s)
{
    char **paths, *path;
    unsigned i, n;

    expand_paths(s, &paths, &n, 1); // alloc: o0
    if (n == 0)
        return NULL; // leak: o0
    path = paths[0];
    for (i = 1; i < n; i++)
        free(paths[i]);
    free(paths);
    return path;
}

int main(int argc, char **argv)
{
    char *p = label(argc > 1 ? argv[1] : "/");
    if (p) puts(p);
    free(p);
    return 0;
}
