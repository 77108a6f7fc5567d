// The text is on the stack or on the heap, as the flag says, and used alike.
// paper: AutoFix, figure 1(a): released after the last use, and only where it is on the heap
// fix: fixed or guarded
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
    puts(text); // mend
}

int main(int argc, char **argv)
{
    if (argc > 1)
        show(argv[1], argc > 2);
    return 0;
}
