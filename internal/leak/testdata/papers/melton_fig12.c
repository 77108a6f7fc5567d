// A new block is returned, kept in a global or freed, by the size of a number.
// paper: Melton, figures 12 to 14: no leak in the function: escaped, escaped and freed
#include <stdlib.h>

static void *kept;

static void *place(int x)
{
    x = x + 1;
    void *p = malloc(32);
    if (x < 6) {
        return p;
    } else if (x < 9) {
        kept = p;
        return NULL;
    } else {
        free(p);
        return NULL;
    }
}

static void *place_badly(int x)
{
    x = x + 1;
    void *p = malloc(32); // alloc: p
    if (x < 6) {
        return p;
    } else if (x < 9) {
        kept = p;
        return NULL;
    }
    return NULL; // leak: p
}

static void clean(void)
{
    free(place(1));
    place(6);
    free(kept);
    kept = NULL;
    place(20);
}

static void leaky(void)
{
    free(place_badly(1));
    place_badly(20);
}

int main(void)
{
    clean();
    leaky();
    return 0;
}
