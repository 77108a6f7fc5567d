// GlobalToFree: what a global holds is freed; it is not the global that is overwritten next.
// paper: Melton, figure 1d (GlobalToFree): leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *cache, *names;
void flush(void);

static void use(void)
{
    cache = strdup("one");
    names = strdup("two"); // alloc: names
    flush();
    names = NULL; // leak: names
}

int main(void)
{
    use();
    return 0;
}
