// ArgToFree: an argument is freed; both arguments are.
// paper: Melton, figure 1d (ArgToFree): no leak; Melton follows it
#include <stdlib.h>
#include <string.h>

void drop_first(char *a, char *b, int n);

static void use(void)
{
    char *a = strdup("a"), *b = strdup("b");
    drop_first(a, b, 2);
}

int main(void)
{
    use();
    return 0;
}
