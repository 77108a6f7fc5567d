// ArgToArg: what one argument points to is stored through the other; it is freed through the other name.
// paper: Melton, figure 1b (ArgToArg): no leak; Melton follows it
#include <stdlib.h>
#include <string.h>

void hand_over(char *from, char **to);

static void use(void)
{
    char *text = strdup("x"), *other = NULL;
    hand_over(text, &other);
    text = NULL;
    free(other);
}

int main(void)
{
    use();
    return 0;
}
