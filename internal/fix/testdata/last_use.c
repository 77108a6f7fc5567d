// It is lost in a loop, but not by all paths of a round; and where only what was
// decided before says that it still is there.
// run: 1
// run: 4
// run: 8
#include <stdio.h>
#include <stdlib.h>

static int turns(int n)
{
    int sum = 0;
    while (n > 0) {
        int *cell = malloc(sizeof *cell);
        if (!cell)
            return -1;
        *cell = n;
        if (n % 2) {
            free(cell);
        } else {
            sum += *cell;
            printf("%d\n", *cell);
        }
        n--;
    }
    return sum;
}

static char *attempt(int n)
{
    char *s;
    int done = 0;
    for (int i = 0; i < 5; i++) {
        s = malloc(8);
        if (!s)
            return NULL;
        for (int k = 0; k < n; k++) {
            s[0] = (char)('a' + i);
            if (i + k > 9) {
                done = 1;
                break;
            }
        }
        s[1] = '\0';
        if (!done)
            continue;
        return s;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    char *s = attempt(n);
    printf("%d %s\n", turns(n), s ? s : "-");
    free(s);
    return 0;
}
