// A literal, unless there is something longer to say.
// paper: AutoFix, figure 7: released after the last use, and only when it is on the heap
// fix: fixed or guarded
// run:
// run: word
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void use(const char *p) { printf("%s\n", p); }

static void greet(const char *who)
{
    char *p = "nobody";
    if (who) {
        p = malloc(strlen(who) + 8);
        if (!p)
            exit(1);
        sprintf(p, "hello, %s", who);
    }
    use(p); // mend
}

int main(int argc, char **argv)
{
    greet(argc > 1 ? argv[1] : NULL);
    return 0;
}
