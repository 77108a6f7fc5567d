// AllocToGlobal: a new block is left in a global; the second takes the place of the first.
// paper: Melton, figure 1a (AllocToGlobal): leak; Melton follows it
#include <stdlib.h>

extern char *banner;
void banner_set(const char *s);

static void use(void)
{
    banner_set("one");
    banner_set("two");
    free(banner);
    banner = NULL;
}

int main(void)
{
    use();
    return 0;
}
