// Functions that are returned, chosen and kept in local variables.
#include <stdlib.h>
#include <string.h>

typedef void (*action)(char *);

static void touch(char *p) { p[0] = 'x'; }
static void look(char *p) { p[1] = p[0]; }
static void release(char *p) { free(p); }

static action choose(const char *name)
{
    if (strcmp(name, "touch") == 0)
        return touch;
    return look;
}

static action destroyer(void) { return release; }

static void uses(const char *name)
{
    char *p = malloc(8); // alloc: p
    if (!p)
        return;
    choose(name)(p);
} // leak: p

static void destroys(void)
{
    char *p = malloc(8);
    action f = destroyer();
    f(p);
}

static void in_variable(int n)
{
    action f = n > 1 ? touch : look;
    char *p = malloc(8); // alloc: q
    if (!p)
        return;
    f(p);
} // leak: q

static void in_variable_released(int n)
{
    action f;
    char *p = calloc(8, 1);
    if (!p)
        return;
    f = look;
    f(p);
    if (n)
        f = touch;
    f(p);
    f = release;
    f(p);
}

int main(int argc, char **argv)
{
    uses(argv[0]);
    destroys();
    in_variable(argc);
    in_variable_released(argc);
    return 0;
}
