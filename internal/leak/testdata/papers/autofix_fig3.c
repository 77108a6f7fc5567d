// In a loop, one branch frees what the turn allocated and the other passes it on
// to functions that only read it.
// paper: AutoFix, figure 3: leak on the else branch
#include <stdio.h>
#include <stdlib.h>

static void look(const int *cell) { printf("%d\n", *cell); }
static void deeper(const int *cell) { look(cell); }

static void turns(int n)
{
    while (n > 0) { // leak: cell
        int *cell = malloc(sizeof *cell); // alloc: cell
        if (!cell)
            return;
        *cell = n;
        if (n % 2) {
            look(cell);
            free(cell);
        } else {
            deeper(cell);
        }
        n--;
    }
}

static void turns_well(int n)
{
    while (n > 0) {
        int *cell = malloc(sizeof *cell);
        if (!cell)
            return;
        *cell = n;
        if (n % 2) {
            look(cell);
            free(cell);
        } else {
            deeper(cell);
            free(cell);
        }
        n--;
    }
}

int main(void)
{
    turns(3);
    turns_well(3);
    return 0;
}
