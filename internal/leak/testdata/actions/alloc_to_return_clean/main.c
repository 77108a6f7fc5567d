// AllocToReturn: a new block is returned; the caller frees it.
// paper: Melton, figure 1a (AllocToReturn): no leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>

char *joined(const char *a, const char *b);

static void use(void)
{
    char *path = joined("/tmp/", "x");
    if (path)
        puts(path);
    free(path);
}

int main(void)
{
    use();
    return 0;
}
