// What is allocated under a condition is freed under the same one.
// paper: SMOKE, figure 3: no leak; value-flow tools that do not solve conditions report one
#include <stdio.h>
#include <stdlib.h>

static void same(int wanted)
{
    char *log = NULL;
    if (wanted)
        log = malloc(32);
    puts("work");
    if (wanted)
        free(log);
}

static void other(int wanted, int done)
{
    char *log = NULL;
    if (wanted)
        log = malloc(32); // alloc: log
    puts("work");
    if (done)
        free(log);
} // leak: log

int main(void)
{
    same(0);
    same(1);
    other(1, 0);
    other(1, 1);
    return 0;
}
