// Functions of a library that plumb sees only declared: one that takes a const
// pointer cannot keep it, one that takes a plain pointer may.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void outside_look(const char *s);
void outside_keep(char *s);
int outside_count(const char *const *list);

static void looks(void)
{
    char *s = strdup("x");
    outside_look(s);
    free(s);
}

static void looks_badly(void)
{
    char *s = strdup("x"); // alloc: looked
    outside_look(s);
} // leak: looked

static void keeps(void)
{
    char *s = strdup("x");
    outside_keep(s);
}

static void fails(int n)
{
    char *s = strdup("x"); // alloc: failed
    if (!s)
        return;
    if (n < 0)
        return; // leak: failed
    outside_keep(s);
}

static void listed(void)
{
    const char *list[2] = { NULL, NULL };
    char *s = strdup("x"); // alloc: listed
    list[0] = s;
    printf("%d\n", outside_count(list));
} // leak-missed: listed

int main(void)
{
    looks();
    looks_badly();
    keeps();
    fails(1);
    fails(-1);
    listed();
    return 0;
}
// limit-missed: given, in an array, to a function that is only declared
