// A local is overwritten: once, in a loop, and by what depends on it.
// run: 5
// run: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t once(const char *user)
{
    char *name = malloc(16);
    size_t len;

    if (!name)
        return 0;
    strcpy(name, "guest");
    if (user[0] == '5') {
        name = malloc(strlen(user) + 1);
        if (!name)
            return 0;
        strcpy(name, user);
    }
    len = strlen(name);
    free(name);
    return len;
}

static int rounds(int n)
{
    int *slot = NULL;
    int total = 0;

    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) {
            slot = malloc(4 * sizeof *slot);
            if (!slot)
                return -1;
            slot[0] = i;
        }
        total += slot[0];
    }
    free(slot);
    return total;
}

static char *twice(const char *s)
{
    size_t n = strlen(s);
    char *r = malloc(2 * n + 1);
    if (!r)
        exit(1);
    sprintf(r, "%s%s", s, s);
    return r;
}

static size_t depends(const char *s)
{
    char *p = strdup(s);
    size_t n;
    if (!p)
        return 0;
    p = twice(p);
    n = strlen(p);
    free(p);
    return n;
}

int main(int argc, char **argv)
{
    const char *s = argc > 1 ? argv[1] : "1";
    printf("%zu %d %zu\n", once(s), rounds(atoi(s)), depends(s));
    return 0;
}
