// What this check cannot know yet.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static void look(const char *s) { puts(s); }
static void *wrap(int n) { return malloc(n); }

// Everything passed to a function without a model escapes.
int passed(int n)
{
    char *p = malloc(n); // alloc: passed
    look(p);
    return 0; // leak-missed: passed
}

// Allocators of the program itself are not seen.
int wrapped(int n)
{
    char *p = wrap(n); // alloc: wrapped
    puts(p);
    return 0; // leak-missed: wrapped
}

// A function that calls setjmp is not looked at.
jmp_buf env;
int jumps(int n)
{
    char *p = malloc(n); // alloc: jumps
    if (setjmp(env))
        return 1;
    puts(p);
    return 0; // leak-missed: jumps
}
