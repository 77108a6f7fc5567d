// GlobalToArg: what a global holds is moved out through an argument; the caller forgets it.
// paper: Melton, figure 1c (GlobalToArg): leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *spare;
int lend(char **out);

static void use(void)
{
    char *mine;
    spare = strdup("x"); // alloc: spare
    if (lend(&mine) < 0)
        return;
    mine[0] = 'y';
} // leak: spare

int main(void)
{
    use();
    return 0;
}
