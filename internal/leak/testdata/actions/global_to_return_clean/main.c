// GlobalToReturn: what a global holds is returned; the caller frees it.
// paper: Melton, figure 1c (GlobalToReturn): no leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *slot;
char *take(void);

static void use(void)
{
    slot = strdup("x");
    char *s = take();
    free(s);
}

int main(void)
{
    use();
    return 0;
}
