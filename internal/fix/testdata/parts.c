// What an object holds goes first; two objects go at the same place.
// run: x
// run: a
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user { char *name; int age; };

static int f(const char *s)
{
    struct user *u = malloc(sizeof *u);
    if (!u)
        return -1;
    u->name = strdup(s);
    if (!u->name) {
        free(u);
        return -1;
    }
    u->age = s[0];
    if (s[0] == 'x')
        return -2;
    printf("%s %d\n", u->name, u->age);
    free(u->name);
    free(u);
    return 0;
}

static int two(const char *s)
{
    char *a = strdup(s);
    char *b = strdup(s);
    if (!a || !b)
        return -1;
    if (s[0] == 'x')
        return -2;
    puts(a);
    puts(b);
    free(a);
    free(b);
    return 0;
}

int main(int c, char **v)
{
    printf("%d %d\n", f(c > 1 ? v[1] : "x"), two(c > 1 ? v[1] : "x"));
    return 0;
}
