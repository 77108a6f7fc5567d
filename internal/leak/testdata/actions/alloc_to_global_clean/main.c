// AllocToGlobal: a new block is left in a global; the first is freed before the second is made.
// paper: Melton, figure 1a (AllocToGlobal): no leak; Melton follows it
#include <stdlib.h>

extern char *banner;
void banner_set(const char *s);

static void use(void)
{
    banner_set("one");
    free(banner);
    banner_set("two");
    free(banner);
    banner = NULL;
}

int main(void)
{
    use();
    return 0;
}
