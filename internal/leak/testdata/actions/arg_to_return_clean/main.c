// ArgToReturn: an argument is returned; the result is freed.
// paper: Melton, figure 1b (ArgToReturn): no leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *trimmed(char *s);

static void use(void)
{
    char *text = strdup("x y");
    if (!text)
        return;
    char *word = trimmed(text);
    puts(word);
    free(word);
}

int main(void)
{
    use();
    return 0;
}
