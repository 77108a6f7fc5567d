// Pointers hidden in integers: where one may come back from, the block is not
// followed. A number that is only looked at hides nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uintptr_t kept;
static char *other;

static void stored(void)
{
    char *p = malloc(8);
    kept = (uintptr_t)p;
}

static void restored(void)
{
    free((char *)kept);
    kept = 0;
}

static void tagged(int mark)
{
    char *p = malloc(8);
    uintptr_t t = (uintptr_t)p | (mark ? 1 : 0);
    free((char *)(t & ~(uintptr_t)1));
}

static void exclusive(void)
{
    char *p = malloc(8);
    uintptr_t x = (uintptr_t)p ^ (uintptr_t)&other;
    p = NULL;
    free((char *)(x ^ (uintptr_t)&other));
}

static int aligned(void)
{
    char *p = malloc(8); // alloc: aligned
    return ((uintptr_t)p & 15) == 0; // leak: aligned
}

static void printed(void)
{
    char *p = malloc(8); // alloc: printed
    printf("%d\n", p != NULL);
} // leak: printed

int main(void)
{
    stored();
    restored();
    tagged(0);
    tagged(1);
    exclusive();
    aligned();
    printed();
    return 0;
}
