// Two objects in one variable: what each round puts there, and what was there first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int sections(char **lines, int n)
{
    char *section = strdup("");
    int seen = 0;
    for (int i = 0; i < n; i++) {
        if (lines[i][0] == '[') {
            section = strdup(lines[i] + 1);
            continue;
        }
        if (section == NULL || lines[i][0] == '!')
            return -1;
        seen += (int)strlen(section);
    }
    free(section);
    return seen;
}

int main(int argc, char **argv)
{
    printf("%d\n", sections(argv + 1, argc - 1));
    return 0;
}
