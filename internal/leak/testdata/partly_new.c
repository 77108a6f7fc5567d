// A function returns something new for some arguments and something old for others.
// Who knows its arguments knows what it has; who compares the result knows too.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char spare[16];
static int busy;

static char *room(size_t n)
{
    if (n > sizeof spare)
        return malloc(n);
    return spare;
}

// Through another function, with room for the end.
static char *room_for(const char *s, size_t n)
{
    char *p = room(n + 1);
    if (p)
        memcpy(p, s, n);
    return p;
}

// Its arguments do not tell what it returns.
static char *room_if_free(size_t n)
{
    if (n > sizeof spare && busy)
        return malloc(n);
    return spare;
}

static void by_size(const char *s)
{
    size_t n = strlen(s);
    char *p = room_for(s, n);
    if (n >= sizeof spare)
        free(p);
}

static void by_size_badly(const char *s)
{
    size_t n = strlen(s);
    char *p = room_for(s, n); // alloc: one
    if (n > sizeof spare)
        free(p);
} // leak: one

static void by_address(size_t n)
{
    char *p = room(n);
    puts("work");
    if (p != spare)
        free(p);
}

static void by_address_badly(size_t n, int late)
{
    char *p = room(n); // alloc: late
    if (late)
        return; // leak: late
    if (p != spare)
        free(p);
}

static void small(void)
{
    char *p = room(8);
    p[0] = 0;
}

static void large(void)
{
    char *p = room(80); // alloc: large
    puts(p ? "large" : "none");
} // leak: large

static void unknown(size_t n)
{
    char *p = room_if_free(n);
    puts(p ? "some" : "none");
}

int main(void)
{
    by_size("fifteen letters");
    by_size("sixteen letters.");
    by_size("more than sixteen letters");
    by_size_badly("fifteen letters");
    by_size_badly("sixteen letters.");
    by_size_badly("more than sixteen letters");
    by_address(8);
    by_address(80);
    by_address_badly(80, 0);
    by_address_badly(80, 1);
    small();
    large();
    unknown(8);
    unknown(80);
    return 0;
}
