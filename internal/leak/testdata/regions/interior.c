// A pointer into a block keeps it: past a header, at a cursor, at its end.
#include <stdlib.h>
#include <string.h>

struct header { size_t size; };

static char *with_header(size_t n)
{
    struct header *h = malloc(sizeof *h + n);
    if (!h)
        abort();
    h->size = n;
    return (char *)(h + 1);
}

static void free_header(char *p) { free((struct header *)(void *)p - 1); }

static char *skip_spaces(char *s)
{
    while (*s == ' ')
        s++;
    return s;
}

static void headed(void)
{
    char *p = with_header(8);
    p[0] = 0;
    free_header(p);
}

static void cursor(void)
{
    char *s = strdup("  x");
    if (!s)
        return;
    char *c = skip_spaces(s);
    *c = 'y';
    free(s);
}

static void back(void)
{
    char *p = malloc(8), *q;
    if (!p)
        return;
    q = p + 4;
    p = NULL;
    free(q - 4);
}

static void headed_lost(int n)
{
    char *p = with_header(8); // alloc: headed
    p[0] = 0;
    if (n)
        return; // leak: headed
    free_header(p);
}

static int cursor_lost(void)
{
    char *s = strdup("  x"); // alloc: cursor
    if (!s)
        return 0;
    s = skip_spaces(s);
    return *s; // leak: cursor
}

static void moved(int n)
{
    char *p = malloc(8); // alloc: moved
    if (!p)
        return;
    for (int i = 0; i < n; i++)
        *p++ = 'x';
    p = NULL; // leak: moved
}

int main(void)
{
    headed();
    cursor();
    back();
    headed_lost(0);
    headed_lost(1);
    cursor_lost();
    moved(3);
    return 0;
}
