// The twin of figure 1(a): the flag that chose the heap also releases.
// paper: AutoFix, figure 1(a), with nothing to mend
// fix: none
// run: abc
// run: abc s
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(const char *word, int small)
{
    char near[32];
    char *text;
    if (small) {
        text = near;
    } else {
        text = malloc(64);
        if (!text)
            return;
    }
    snprintf(text, 32, "<%s>", word);
    printf("%zu\n", strlen(text));
    puts(text);
    if (text != near)
        free(text);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        show(argv[1], argc > 2);
    return 0;
}
