// AllocToReturn: a new block is returned; the caller forgets it.
// paper: Melton, figure 1a (AllocToReturn): leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>

char *joined(const char *a, const char *b);

static void use(void)
{
    char *path = joined("/tmp/", "x"); // alloc: path
    if (path)
        puts(path);
} // leak: path

int main(void)
{
    use();
    return 0;
}
