// A pointer to a constant string or, under a condition, to a new block.
// paper: AutoFix, figure 7 (gcc): leak when the condition holds
#include <stdio.h>
#include <stdlib.h>

static void use(const char *s) { puts(s); }

static void show(int verbose)
{
    char *s = "short";
    if (verbose) {
        s = malloc(32); // alloc: s
        if (!s)
            return;
        s[0] = 0;
    }
    use(s);
} // leak: s

static void show_well(int verbose)
{
    char *s = "short", *own = NULL;
    if (verbose) {
        own = malloc(32);
        if (!own)
            return;
        own[0] = 0;
        s = own;
    }
    use(s);
    free(own);
}

int main(void)
{
    show(0);
    show(1);
    show_well(0);
    show_well(1);
    return 0;
}
