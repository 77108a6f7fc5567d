// What this check cannot know yet.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

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

// Nor is what is held two levels down.
struct inner { char *text; };
struct outer { struct inner *in; };
int nested(int n)
{
    struct outer *o = malloc(sizeof *o);
    if (!o)
        return -1;
    o->in = malloc(sizeof *o->in);
    if (!o->in) {
        free(o);
        return -1;
    }
    o->in->text = malloc(n); // alloc: deep
    free(o->in); // leak-missed: deep
    free(o);
    return 0;
}
// limit-missed: in a function that calls `setjmp`; two levels down
