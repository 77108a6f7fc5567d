// ArgToFree: an argument is freed; the other one is not, and the caller does not either.
// paper: Melton, figure 1d (ArgToFree): leak; Melton follows it
#include <stdlib.h>
#include <string.h>

void drop_first(char *a, char *b, int n);

static void use(void)
{
    char *a = strdup("a");
    char *b = strdup("b"); // alloc: b
    drop_first(a, b, 1);
} // leak: b

int main(void)
{
    use();
    return 0;
}
