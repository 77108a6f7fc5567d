// AllocToAlloc: a new block is stored in another new block, which is returned; both are freed.
// paper: Melton, figure 1a (AllocToAlloc): no leak; Melton does not follow what is stored in the heap
#include <stdlib.h>
#include "pair.h"

static void use(void)
{
    struct pair *p = pair_new();
    free(p->left);
    free(p);
}

int main(void)
{
    use();
    return 0;
}
