// What is inferred of a function holds when it is called through a pointer: that
// it does not return, that it makes memory, that it releases it, that it never
// returns null.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void (*fatal)(const char *) = give_up;

static void *must(size_t n)
{
    void *p = malloc(n);
    if (!p)
        fatal("out of memory");
    return p;
}

static void clean_up(char **p)
{
    free(*p);
    *p = NULL;
}

static void *(*allocate)(size_t) = must;
static void (*release)(char **) = clean_up;

static void ends(int n)
{
    char *p = allocate(10);
    if (n > 1000)
        fatal("too many"); // the process ends
    p[0] = 0;
    free(p);
}

static void released(void)
{
    char *p = allocate(10);
    p[0] = 0;
    release(&p);
}

static int never_null(void)
{
    char *a = allocate(10), *b = allocate(10);
    if (!a) {
        free(b); // never
        return -1;
    }
    if (!b)
        return -1; // never, so that a is not lost
    free(a);
    free(b);
    return 0;
}

static char *copy(const char *s)
{
    char *p = allocate(strlen(s) + 1);
    return strcpy(p, s);
}

static size_t forgotten(const char *s)
{
    char *p = copy(s); // alloc: p
    return strlen(p); // leak: p
}

int main(int argc, char **argv)
{
    (void)argv;
    ends(argc);
    released();
    never_null();
    return forgotten("x") == 1 ? 0 : 2;
}
