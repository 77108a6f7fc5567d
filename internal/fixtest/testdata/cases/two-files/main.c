#include "join.h"
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char line[80] = "";
    if (fgets(line, sizeof line, stdin) == NULL)
        return 2;
    char *name = join(line, argc > 1 ? argv[1] : "");
    if (name == NULL)
        return 3;
    if (argc > 2) {
        puts("too many");
        return 1;
    }
    puts(name);
    free(name);
    return 0;
}
