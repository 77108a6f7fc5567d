// The twin of figure 7: a flag remembers which it was.
// paper: AutoFix, figure 7, with nothing to mend
// fix: none
// run:
// run: word
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void use(const char *p) { printf("%s\n", p); }

static void greet(const char *who)
{
    char *p = "nobody";
    int own = 0;
    if (who) {
        p = malloc(strlen(who) + 8);
        if (!p)
            exit(1);
        sprintf(p, "hello, %s", who);
        own = 1;
    }
    use(p);
    if (own)
        free(p);
}

int main(int argc, char **argv)
{
    greet(argc > 1 ? argv[1] : NULL);
    return 0;
}
