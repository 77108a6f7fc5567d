// ArgToGlobal: an argument is kept in a global; it is freed by the name of the global.
// paper: Melton, figure 1b (ArgToGlobal): no leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *current;
void remember(char *s);

static void use(void)
{
    char *text = strdup("x");
    remember(text);
    free(current);
    current = NULL;
}

int main(void)
{
    use();
    return 0;
}
