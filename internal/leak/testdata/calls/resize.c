// Two allocators that release when the size is 0, behind a pointer: the result is
// new only if it is not.
#include <stdlib.h>

typedef void *(*resizer)(void *, size_t);

static void *plain(void *p, size_t n)
{
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

static size_t total;

static void *counting(void *p, size_t n)
{
    total += n;
    if (n == 0) {
        free(p);
        return NULL;
    }
    return realloc(p, n);
}

static resizer resize = plain;

static void good(void)
{
    char *p = resize(NULL, 10);
    if (!p)
        return;
    p[0] = 0;
    resize(p, 0); // nothing new
}

static void bad(void)
{
    char *p = resize(NULL, 10); // alloc: p
    if (p)
        p[0] = 0;
} // leak: p

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1)
        resize = counting;
    good();
    bad();
    return 0;
}
