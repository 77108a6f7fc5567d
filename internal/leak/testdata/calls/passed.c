// A function that is passed as an argument and called with the object: what
// becomes of the object is decided where both are passed.
#include <stdio.h>
#include <stdlib.h>

static void use(void *p) { *(char *)p = 'x'; }
static void drop(void *p) { free(p); }

static void apply(void (*f)(void *), void *p) { f(p); }
static void apply_if(void (*f)(void *), void *p)
{
    if (f)
        f(p);
}
static void second(int n, void *p, void (*f)(void *))
{
    if (n > 0)
        apply(f, p);
}
static void first(void *p, void (*f)(void *)) { second(1, p, f); }

static void released(void)
{
    char *p = malloc(10);
    if (!p)
        return;
    apply(drop, p);
}

static void used(void)
{
    char *p = malloc(10); // alloc: used
    if (!p)
        return;
    apply(use, p);
} // leak: used

static void by_the_library(void)
{
    char *p = malloc(10);
    apply(free, p);
}

static void released_if(void)
{
    char *p = malloc(10);
    apply_if(drop, p);
}

static void used_if(void)
{
    char *p = malloc(10); // alloc: used_if
    if (!p)
        return;
    apply_if(use, p);
} // leak: used_if

static void released_far_away(void)
{
    char *p = malloc(10);
    first(p, drop);
}

static void used_far_away(void)
{
    char *p = malloc(10); // alloc: far
    if (!p)
        return;
    first(p, use);
} // leak: far

static void either(int n)
{
    char *p = malloc(10); // alloc: either
    if (!p)
        return;
    first(p, n ? drop : use);
} // leak-missed: either

int main(void)
{
    released();
    used();
    by_the_library();
    released_if();
    used_if();
    released_far_away();
    used_far_away();
    either(0);
    return 0;
}
// limit-missed: given to a function that calls one of two others with it, one of which frees it
