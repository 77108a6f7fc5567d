// GlobalToArg: what a global holds is moved out through an argument; the caller frees it.
// paper: Melton, figure 1c (GlobalToArg): no leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *spare;
int lend(char **out);

static void use(void)
{
    char *mine;
    spare = strdup("x");
    if (lend(&mine) < 0)
        return;
    free(mine);
}

int main(void)
{
    use();
    return 0;
}
