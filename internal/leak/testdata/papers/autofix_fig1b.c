// The same function is called before a free and on a branch without one.
// paper: AutoFix, figure 1b: leak on the else branch; a free inside the callee would be a double free
#include <stdio.h>
#include <stdlib.h>

static void use(const int *x) { printf("%d\n", *x); }

static void branch(int ok)
{
    int *x = calloc(1, sizeof *x); // alloc: x
    if (!x)
        return;
    if (ok) {
        use(x);
        free(x);
    } else {
        use(x);
        puts("not ok");
    }
} // leak: x

static void branch_well(int ok)
{
    int *x = calloc(1, sizeof *x);
    if (!x)
        return;
    if (ok) {
        use(x);
        free(x);
    } else {
        use(x);
        free(x);
        puts("not ok");
    }
}

int main(void)
{
    branch(0);
    branch(1);
    branch_well(0);
    branch_well(1);
    return 0;
}
