// A function that calls itself returns what is new, hands it out, or frees it:
// callers have to know what all its turns do.
#include <stdlib.h>
#include <string.h>

// Tries again, and then gives up.
static char *retry(int tries)
{
    char *p = strdup("x");
    if (p && tries > 0) {
        free(p);
        return retry(tries - 1);
    }
    return p;
}

// Hands down, and the last turn frees.
static void pass_on(char *p, int turns)
{
    if (turns == 0)
        free(p);
    else
        pass_on(p, turns - 1);
}

// Hands down, and nobody frees.
static int weigh(const char *p, int turns)
{
    return turns == 0 ? p[0] : weigh(p, turns - 1);
}

// Odd and even call one another.
static char *even(int n);
static char *odd(int n) { return n == 0 ? strdup("odd") : even(n - 1); }
static char *even(int n) { return n == 0 ? strdup("even") : odd(n - 1); }

static void well(void)
{
    free(retry(2));
    pass_on(strdup("y"), 3);
    free(even(3));
}

static void returned(int n)
{
    char *p = retry(2); // alloc: returned
    if (n > 0)
        return; // leak: returned
    free(p);
}

static int weighed(int n)
{
    char *p = strdup("z"); // alloc: weighed
    int w = p ? weigh(p, 3) : 0;
    if (n > 0)
        return w; // leak: weighed
    free(p);
    return w;
}

static void parity(int n)
{
    char *p = even(3); // alloc: parity
    if (n > 0)
        return; // leak: parity
    free(p);
}

int main(void)
{
    well();
    returned(0);
    returned(1);
    weighed(0);
    weighed(1);
    parity(0);
    parity(1);
    return 0;
}
