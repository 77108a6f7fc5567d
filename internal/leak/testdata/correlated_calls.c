// A function that only looks gives the same answer twice.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int same_answer(const char *path)
{
    FILE *f = stdin;
    if (strcmp(path, "-") != 0) {
        f = fopen(path, "r");
        if (!f)
            return -1;
    }
    int c = fgetc(f);
    if (strcmp(path, "-") != 0)
        fclose(f);
    return c;
}

// Unless what it looks at may have changed.
int other_answer(char *path)
{
    FILE *f = stdin;
    if (strcmp(path, "-") != 0) {
        f = fopen(path, "r"); // alloc: f
        if (!f)
            return -1;
    }
    int c = fgetc(f);
    strcpy(path, "-");
    if (strcmp(path, "-") != 0)
        fclose(f);
    return c; // leak: f
}
