// Both branches free, each in its own place.
// paper: SMOKE, figure 2: no leak
#include <stdio.h>
#include <stdlib.h>

static void both(int loud)
{
    int *count = malloc(sizeof *count);
    if (!count)
        return;
    *count = 1;
    if (loud) {
        printf("%d!\n", *count);
        free(count);
    } else {
        printf("%d\n", *count);
        free(count);
    }
}

static void one(int loud)
{
    int *count = malloc(sizeof *count); // alloc: count
    if (!count)
        return;
    *count = 1;
    if (loud) {
        printf("%d!\n", *count);
        free(count);
    } else {
        printf("%d\n", *count);
    }
} // leak: count

int main(void)
{
    both(0);
    both(1);
    one(0);
    one(1);
    return 0;
}
