// noescape, pure and const: such a function does not take what it is given.
// Of a function that says nothing, nothing is known.
#include <stdlib.h>

void lib_look(__attribute__((noescape)) char *p);
__attribute__((pure)) int lib_sum(const char *p);
__attribute__((const)) int lib_place(const char *p);
void lib_take(char *p);

int look_leaky(void)
{
    char *p = calloc(1, 16); // alloc: looked
    if (!p)
        return -1;
    lib_look(p);
    return 0; // leak: looked
}

int look_clean(void)
{
    char *p = calloc(1, 16);
    if (!p)
        return -1;
    lib_look(p);
    free(p);
    return 0;
}

int pure_leaky(void)
{
    char *p = calloc(1, 16); // alloc: summed
    if (!p)
        return -1;
    return lib_sum(p) + lib_place(p); // leak: summed
}

int pure_clean(void)
{
    char *p = calloc(1, 16);
    if (!p)
        return -1;
    int n = lib_sum(p) + lib_place(p);
    free(p);
    return n;
}

int take_clean(void)
{
    char *p = calloc(1, 16);
    if (!p)
        return -1;
    lib_take(p);
    return 0;
}

int main(void)
{
    look_leaky();
    look_clean();
    pure_leaky();
    pure_clean();
    take_clean();
    return 0;
}
