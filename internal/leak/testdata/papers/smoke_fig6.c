// Freed if, and freed if not.
// paper: SMOKE, figure 6: no leak, by the linear-time solver
#include <stdio.h>
#include <stdlib.h>

static void either(int early)
{
    int *cell = malloc(sizeof *cell);
    if (early)
        free(cell);
    puts("work");
    if (!early)
        free(cell);
}

static void neither(int early, int late)
{
    int *cell = malloc(sizeof *cell); // alloc: cell
    if (early)
        free(cell);
    puts("work");
    if (!early && late)
        free(cell);
} // leak: cell

int main(void)
{
    either(0);
    either(1);
    neither(0, 0);
    neither(1, 0);
    return 0;
}
