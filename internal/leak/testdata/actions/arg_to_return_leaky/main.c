// ArgToReturn: an argument is returned; neither the argument nor the result is freed.
// paper: Melton, figure 1b (ArgToReturn): leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *trimmed(char *s);

static void use(void)
{
    char *text = strdup("x y"); // alloc: text
    if (!text)
        return;
    char *word = trimmed(text);
    text = NULL;
    puts(word);
} // leak: text

int main(void)
{
    use();
    return 0;
}
