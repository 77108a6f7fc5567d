// Elements of an array by constant and by computed index: two constants differ,
// two computed ones may be the same.
#include <stdlib.h>
#include <string.h>

static void constants(void)
{
    char *v[3] = { NULL };
    v[0] = strdup("a");
    v[2] = strdup("c");
    free(v[0]);
    free(v[1]);
    free(v[2]);
}

static void same_index(int i)
{
    char *v[4] = { NULL };
    v[i & 3] = strdup("a");
    free(v[i & 3]);
}

static void counted(int n)
{
    char *v[4];
    int used = 0;
    while (used < n && used < 4)
        v[used++] = strdup("a");
    while (used > 0)
        free(v[--used]);
}

static void by_pointer(void)
{
    char *v[2] = { strdup("a"), strdup("b") };
    for (char **p = v; p < v + 2; p++)
        free(*p);
}

static void wrong_constant(void)
{
    char *v[3] = { NULL };
    v[0] = strdup("a"); // alloc: zero
    free(v[1]);
} // leak: zero

static void struct_member(int i)
{
    struct { char *name; int n; } v[2] = { { NULL, 0 }, { NULL, 0 } };
    v[1].name = strdup("a"); // alloc: element
    if (i)
        return; // leak: element
    free(v[1].name);
}

static void same_overwritten(int i)
{
    char *v[4] = { NULL };
    v[i & 3] = strdup("a"); // alloc: first
    v[i & 3] = strdup("b"); // leak-missed: first
    free(v[i & 3]);
}

static void two_levels(void)
{
    char *v[2][2] = { { NULL } };
    v[1][0] = strdup("a"); // alloc: inner
    v[1][1] = strdup("b");
    free(v[1][1]);
    free(v[0][1]);
} // leak: inner

int main(void)
{
    constants();
    same_index(3);
    counted(3);
    by_pointer();
    wrong_constant();
    struct_member(0);
    struct_member(1);
    same_overwritten(2);
    two_levels();
    return 0;
}
// limit-missed: in an array at an index that is computed
