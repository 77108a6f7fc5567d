// Allocators of a program's own: nothing for size 0, an abort on failure, a
// counter, a size in front, a growing one that keeps the old block if it fails.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t total;

static void *get(size_t n)
{
    void *p;
    if (n == 0)
        return NULL;
    p = malloc(n);
    if (!p) {
        fputs("out of memory\n", stderr);
        abort();
    }
    total += n;
    return p;
}

static void put(void *p)
{
    if (!p)
        return;
    total--;
    free(p);
}

static void *get_sized(size_t n)
{
    size_t *p = malloc(sizeof *p + n);
    if (!p)
        return NULL;
    *p = n;
    return p + 1;
}

static void put_sized(void *p)
{
    if (p)
        free((size_t *)p - 1);
}

static int grow(char **p, size_t n)
{
    char *q = realloc(*p, n);
    if (!q)
        return -1;
    *p = q;
    return 0;
}

static void zero(size_t n)
{
    char *s = get(n);
    if (n == 0)
        return;
    s[0] = 0;
    put(s);
}

static void zero_badly(size_t n)
{
    char *s = get(n); // alloc: small
    if (n <= 1)
        return; // leak: small
    s[0] = 0;
    put(s);
}

static void sized(void)
{
    char *s = get_sized(8);
    if (!s)
        return;
    s[0] = 0;
    put_sized(s);
}

static void sized_badly(int early)
{
    char *s = get_sized(8); // alloc: sized
    if (!s)
        return;
    s[0] = 0;
    if (early)
        return; // leak: sized
    put_sized(s);
}

static int grows(void)
{
    char *s = get(4);
    if (grow(&s, 100) < 0) {
        put(s);
        return -1;
    }
    put(s);
    return 0;
}

static int grows_badly(size_t n)
{
    char *s = get(4); // alloc: grown
    if (grow(&s, n) < 0)
        return -1; // leak: grown
    put(s);
    return 0;
}

int main(void)
{
    zero(0);
    zero(3);
    zero_badly(0);
    zero_badly(1);
    zero_badly(3);
    sized();
    sized_badly(0);
    sized_badly(1);
    grows();
    grows_badly((size_t)1 << 62);
    grows_badly(9);
    return 0;
}
