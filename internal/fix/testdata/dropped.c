// Nobody takes the result; nobody keeps the argument.
// run: x
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *make(const char *s)
{
    char *p = malloc(strlen(s) + 1);
    if (!p)
        exit(1);
    puts("made");
    return strcpy(p, s);
}

static size_t measure(const char *s) { return strlen(s); }

int main(int argc, char **argv)
{
    const char *s = argc > 1 ? argv[1] : "x";
    make(s);
    printf("%zu\n", measure(make(s)));
    puts(make(s));
    return 0;
}
