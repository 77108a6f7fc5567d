// Allocators come in many forms; each is one to its callers. Here every form is
// used twice: freed, and forgotten when n is not 0.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *checked(void *p)
{
    if (!p)
        abort();
    return p;
}

static char spare[16];
static int calls;

static void *through_check(size_t n) { return checked(malloc(n)); }
static char *through_check_twice(const char *s) { return checked(checked(strdup(s))); }
static void *through_memset(size_t n)
{
    void *p = malloc(n);
    return p ? memset(p, 0, n) : NULL;
}
static char *through_strcpy(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    return p ? strcpy(p, s) : NULL;
}
static void *by_size(size_t n) { return n ? malloc(n) : NULL; }
static void *new_or_static(size_t n)
{
    if (n <= sizeof spare)
        return spare;
    return malloc(n);
}
static void *again(size_t n)
{
    void *p;
    while ((p = malloc(n)) == NULL)
        calls++;
    return p;
}
static void *from_nothing(size_t n) { return realloc(NULL, n); }
static void *by_kind(int kind, size_t n)
{
    switch (kind) {
    case 0:
        return malloc(n);
    case 1:
        return calloc(1, n);
    default:
        return NULL;
    }
}
static void *(*hook)(size_t) = malloc;
static void (*unhook)(void *) = free;
static void *through_hook(size_t n) { return hook(n); }
static int both_ways(char **out, const char *s) { return (*out = strdup(s)) != NULL; }
static char *counted(const char *s)
{
    char *p = strdup(s);
    calls++;
    printf("%d\n", calls);
    return p;
}

#define CASE(name, make, release)      \
    static void name##_freed(void)     \
    {                                  \
        char *p = make;                \
        release(p);                    \
    }
CASE(check, through_check(4), free)
CASE(check_twice, through_check_twice("x"), free)
CASE(set, through_memset(4), free)
CASE(copy, through_strcpy("x"), free)
CASE(size, by_size(4), free)
CASE(again, again(4), free)
CASE(nothing, from_nothing(4), free)
CASE(kind, by_kind(1, 4), free)
CASE(hook, through_hook(4), unhook)
CASE(count, counted("x"), free)

static void static_freed(size_t n)
{
    char *p = new_or_static(n);
    if (p != spare)
        free(p);
}

static void both_freed(void)
{
    char *p;
    if (both_ways(&p, "x"))
        free(p);
}

static void check_lost(int n)
{
    char *p = through_check(4); // alloc: check
    if (n)
        return; // leak: check
    free(p);
}

static void check_twice_lost(int n)
{
    char *p = through_check_twice("x"); // alloc: check_twice
    if (n)
        return; // leak: check_twice
    free(p);
}

static void set_lost(int n)
{
    char *p = through_memset(4); // alloc: set
    if (n)
        return; // leak: set
    free(p);
}

static void copy_lost(int n)
{
    char *p = through_strcpy("x"); // alloc: copy
    if (n)
        return; // leak: copy
    free(p);
}

static void size_lost(int n)
{
    char *p = by_size(4); // alloc: size
    if (n)
        return; // leak: size
    free(p);
}

static void static_lost(int n)
{
    char *p = new_or_static(100); // alloc: static
    if (n)
        return; // leak: static
    if (p != spare)
        free(p);
}

static void again_lost(int n)
{
    char *p = again(4); // alloc: again
    if (n)
        return; // leak: again
    free(p);
}

static void nothing_lost(int n)
{
    char *p = from_nothing(4); // alloc: nothing
    if (n)
        return; // leak: nothing
    free(p);
}

static void kind_lost(int n)
{
    char *p = by_kind(1, 4); // alloc: kind
    if (n)
        return; // leak: kind
    free(p);
}

static void hook_lost(int n)
{
    char *p = through_hook(4); // alloc: hook
    if (n)
        return; // leak: hook
    unhook(p);
}

static void both_lost(int n)
{
    char *p;
    if (!both_ways(&p, "x")) // alloc: both
        return;
    if (n)
        return; // leak: both
    free(p);
}

static void count_lost(int n)
{
    char *p = counted("x"); // alloc: count
    if (n)
        return; // leak: count
    free(p);
}

int main(void)
{
    check_freed();
    check_twice_freed();
    set_freed();
    copy_freed();
    size_freed();
    static_freed(4);
    static_freed(100);
    again_freed();
    nothing_freed();
    kind_freed();
    hook_freed();
    both_freed();
    count_freed();
    for (int n = 0; n < 2; n++) {
        check_lost(n);
        check_twice_lost(n);
        set_lost(n);
        copy_lost(n);
        size_lost(n);
        static_lost(n);
        again_lost(n);
        nothing_lost(n);
        kind_lost(n);
        hook_lost(n);
        both_lost(n);
        count_lost(n);
    }
    return 0;
}
