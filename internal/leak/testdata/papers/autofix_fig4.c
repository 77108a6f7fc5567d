// Two pointers are exchanged through their addresses.
// paper: AutoFix, figure 4: no allocation; the values are exchanged, which the clean way relies on
#include <stdlib.h>
#include <string.h>

static void exchange(char **x, char **y)
{
    char *t1 = *x;
    char *t2 = *y;
    *x = t2;
    *y = t1;
}

static void both(void)
{
    char *a = strdup("<"), *b = strdup(">");
    char **p = &a, **q = &b;
    exchange(p, q);
    free(*p);
    free(*q);
}

static void one(void)
{
    char *a = strdup("<"); // alloc: a
    char *b = strdup(">");
    exchange(&a, &b);
    free(a);
    b = NULL; // leak: a
}

static void stays(void)
{
    char fixed[] = "<", *a = fixed, *b = strdup(">");
    exchange(&a, &b);
    free(a);
}

int main(void)
{
    both();
    one();
    stays();
    return 0;
}
