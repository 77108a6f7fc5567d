// GlobalToFree: what a global holds is freed; what the global held before is always freed.
// paper: Melton, figure 1d (GlobalToFree): no leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *cache, *names;
void flush(void);

static void use(void)
{
    cache = strdup("one");
    flush();
    cache = strdup("two");
    flush();
}

int main(void)
{
    use();
    return 0;
}
