// An early return forgets a buffer.
// paper: SMOKE, figure 1: leak on the early exit
#include <stdio.h>
#include <stdlib.h>

static void report(int verbose, int quiet)
{
    char *line = calloc(1, 80); // alloc: line
    if (!line)
        return;
    if (verbose)
        puts("report");
    if (quiet)
        return; // leak: line
    puts(line);
    free(line);
}

static void repaired(int verbose, int quiet)
{
    char *line = calloc(1, 80);
    if (!line)
        return;
    if (verbose)
        puts("report");
    if (!quiet)
        puts(line);
    free(line);
}

int main(void)
{
    report(1, 0);
    report(0, 1);
    repaired(1, 1);
    return 0;
}
