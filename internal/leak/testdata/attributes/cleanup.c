// The attribute cleanup is code at the end of the scope.
#include <stdlib.h>

static void release(char **p) { free(*p); }
static void look(char **p) { (void)*p; }

int cleanup_clean(int n)
{
    __attribute__((cleanup(release))) char *p = malloc(16);
    if (!p)
        return -1;
    if (n < 0)
        return -2;
    return 0;
}

int cleanup_leaky(int n)
{
    __attribute__((cleanup(look))) char *p = malloc(16); // alloc: looked
    if (!p)
        return -1;
    p[0] = n;
    return 0;
} // leak: looked

// Taken out of the variable, it is not released with it.
char *stolen(void)
{
    __attribute__((cleanup(release))) char *p = malloc(16);
    char *q = p;
    p = NULL;
    return q;
}

int stolen_leaky(void)
{
    char *p = stolen(); // alloc: from_stolen
    if (!p)
        return -1;
    return 0; // leak-missed: from_stolen
}

int stolen_clean(void)
{
    char *p = stolen();
    free(p);
    return 0;
}

int main(void)
{
    cleanup_clean(-1);
    cleanup_clean(1);
    cleanup_leaky(1);
    stolen_leaky();
    stolen_clean();
    return 0;
}
// limit-missed: from a function in which a variable with `cleanup` gives it away
