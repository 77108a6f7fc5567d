// returns_nonnull and nonnull: the other branch is never taken.
#include <stdlib.h>

__attribute__((returns_nonnull)) int *lib_config(void);
int *lib_option(void);

int returns_clean(void)
{
    char *p = malloc(16);
    if (!p)
        return -1;
    int *c = lib_config();
    if (!c)
        return -2;
    free(p);
    return *c;
}

int returns_leaky(void)
{
    char *p = malloc(16); // alloc: option
    if (!p)
        return -1;
    int *c = lib_option();
    if (!c)
        return -2; // leak: option
    free(p);
    return *c;
}

__attribute__((nonnull)) int param_clean(int *n)
{
    char *p = malloc(16);
    if (!p)
        return -1;
    if (!n)
        return -2;
    free(p);
    return *n;
}

int param_leaky(int *n)
{
    char *p = malloc(16); // alloc: param
    if (!p)
        return -1;
    if (!n)
        return -2; // leak: param
    free(p);
    return *n;
}

// A function of the program that never returns null is believed as well.
__attribute__((returns_nonnull)) static char *block(size_t n)
{
    char *p = malloc(n);
    if (!p)
        abort();
    return p;
}

int own_leaky(int n)
{
    char *p = block(16); // alloc: own
    if (n < 0)
        return -1; // leak: own
    free(p);
    return 0;
}

int own_clean(int n)
{
    char *p = malloc(16);
    if (!p)
        return -1;
    char *q = block(16);
    if (!q)
        return -2;
    free(q);
    free(p);
    return n;
}

int main(void)
{
    int n = 1;
    returns_clean();
    returns_leaky();
    param_clean(&n);
    param_leaky(NULL);
    own_leaky(-1);
    own_clean(1);
    return 0;
}
