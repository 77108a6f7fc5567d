// Each turn of the loop makes a line; one branch releases it, the other looks at
// it twice more and goes on.
// paper: AutoFix, figure 3: released in the loop, after the last use in the else branch
// fix: fixed
// run: 1
// run: 4
#include <stdio.h>
#include <stdlib.h>

static void look(const int *cell) { printf("%d\n", *cell); }

static int weigh(const int *cell, int by)
{
    look(cell);
    return *cell * by;
}

static int turns(int n)
{
    int sum = 0;
    while (n > 0) {
        int *cell = malloc(sizeof *cell);
        if (!cell)
            return -1;
        *cell = n;
        if (n % 2) {
            look(cell);
            free(cell);
        } else {
            sum += weigh(cell, 3);
            look(cell); // mend
        }
        n--;
    }
    return sum;
}

int main(int argc, char **argv)
{
    printf("%d\n", turns(argc > 1 ? atoi(argv[1]) : 0));
    return 0;
}
