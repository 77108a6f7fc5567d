// A function that has a local variable filled by another one, and returns what is
// in it, is an allocator as well: if nothing but new memory is ever put there.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char spare[64];
static char *last;

static void fill(size_t n, void **out)
{
    if (n > 1000) {
        *out = NULL;
        return;
    }
    *out = malloc(n);
}

static void *filled(size_t n, int plain)
{
    void *p;
    if (n == 0)
        p = NULL;
    else if (plain)
        p = malloc(n);
    else
        fill(n, &p);
    return p;
}

static void *zeroed(size_t n)
{
    void *p = filled(n, 0);
    if (p)
        memset(p, 0, n);
    return p;
}

static char *printed(int n)
{
    char *p = NULL;
    if (asprintf(&p, "%d", n) < 0)
        return NULL;
    return p;
}

// Some of what is put there is not new.
static void fill_or_lend(size_t n, char **out)
{
    if (n < sizeof spare)
        *out = spare;
    else
        *out = malloc(n);
}

static char *lent(size_t n)
{
    char *p;
    fill_or_lend(n, &p);
    return p;
}

// What is put there is remembered elsewhere too.
static void fill_and_keep(char **out)
{
    if (!last)
        last = strdup("kept");
    *out = last;
}

static char *kept(void)
{
    char *p;
    fill_and_keep(&p);
    return p;
}

// Filled anew only if there is nothing yet: what it had before may be static.
static void fill_empty(char **out)
{
    if (!*out)
        *out = strdup("new");
}

static char *given_or_new(int n)
{
    char *p = n > 0 ? spare : NULL;
    fill_empty(&p);
    return p;
}

static void well(void)
{
    char *p = lent(8);
    puts(p);
    puts(kept());
    puts(given_or_new(1));
    free(filled(8, 0));
    free(zeroed(8));
    free(printed(8));
}

static int plain_lost(int n)
{
    char *p = filled(16, 1); // alloc: plain
    if (n > 0)
        return -1; // leak: plain
    free(p);
    return 0;
}

static int zeroed_lost(int n)
{
    char *p = zeroed(16); // alloc: zeroed
    if (n > 0)
        return -1; // leak: zeroed
    free(p);
    return 0;
}

static int printed_lost(int n)
{
    char *p = printed(n); // alloc: printed
    if (n > 0)
        return -1; // leak: printed
    free(p);
    return 0;
}

int main(void)
{
    well();
    plain_lost(0);
    plain_lost(1);
    zeroed_lost(0);
    zeroed_lost(1);
    printed_lost(0);
    printed_lost(1);
    return 0;
}
