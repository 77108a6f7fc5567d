// GlobalToReturn: what a global holds is returned; the caller forgets it.
// paper: Melton, figure 1c (GlobalToReturn): leak; Melton follows it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern char *slot;
char *take(void);

static void use(void)
{
    slot = strdup("x"); // alloc: slot
    char *s = take();
    if (s)
        puts(s);
} // leak: slot

int main(void)
{
    use();
    return 0;
}
