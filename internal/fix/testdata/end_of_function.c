// The end of a function, and that of a loop's body, forget what was made.
// run: 3
#include <stdio.h>
#include <stdlib.h>

static void show(int i)
{
    char *line = malloc(32);
    if (!line)
        exit(1);
    snprintf(line, 32, "item %d", i);
    puts(line);
}

static void all(int n)
{
    for (int i = 0; i < n; i++) {
        int *p = malloc(sizeof *p);
        if (!p)
            exit(1);
        *p = i;
        printf("%d\n", *p);
    }
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    show(n);
    all(n);
    return 0;
}
