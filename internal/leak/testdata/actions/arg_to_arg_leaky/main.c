// ArgToArg: what one argument points to is stored through the other; both names are overwritten.
// paper: Melton, figure 1b (ArgToArg): leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hand_over(char *from, char **to);

static void use(void)
{
    char *text = strdup("x"), *other = NULL; // alloc: text
    hand_over(text, &other);
    text = NULL;
    if (other)
        puts(other);
    other = NULL; // leak: text
}

int main(void)
{
    use();
    return 0;
}
