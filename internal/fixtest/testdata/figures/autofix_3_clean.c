// The twin of figure 3: what one turn leaves, the next one releases.
// paper: AutoFix, figure 3, with nothing to mend
// fix: none
// run: 1
// run: 4
#include <stdio.h>
#include <stdlib.h>

static void look(const int *cell) { printf("%d\n", *cell); }

static int turns(int n)
{
    int sum = 0;
    int *former = NULL;
    while (n > 0) {
        int *cell = malloc(sizeof *cell);
        if (!cell)
            break;
        *cell = n;
        if (former) {
            sum += *former;
            free(former);
            former = NULL;
        }
        if (n % 2) {
            look(cell);
            free(cell);
        } else {
            look(cell);
            former = cell;
        }
        n--;
    }
    free(former);
    return sum;
}

int main(int argc, char **argv)
{
    printf("%d\n", turns(argc > 1 ? atoi(argv[1]) : 0));
    return 0;
}
