// ArgToGlobal: an argument is kept in a global; the global is overwritten.
// paper: Melton, figure 1b (ArgToGlobal): leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *current;
void remember(char *s);

static void use(void)
{
    char *text = strdup("x"); // alloc: text
    remember(text);
    text = NULL;
    current = NULL; // leak: text
}

int main(void)
{
    use();
    return 0;
}
