// AllocToAlloc: a new block is stored in another new block, which is returned; only the outer one is freed.
// paper: Melton, figure 1a (AllocToAlloc): leak; Melton does not follow what is stored in the heap
#include <stdlib.h>
#include "pair.h"

static void use(void)
{
    struct pair *p = pair_new(); // alloc: left
    free(p); // leak: left
}

int main(void)
{
    use();
    return 0;
}
