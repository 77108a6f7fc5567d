// GlobalToAlloc: what a global holds is moved into a new block, which is returned; only the new block is freed.
// paper: Melton, figure 1c (GlobalToAlloc): leak; Melton does not follow what is stored in the heap
#include <stdlib.h>
#include <string.h>
#include "box.h"

static void use(void)
{
    pending = strdup("x"); // alloc: content
    struct box *b = box_up();
    free(b); // leak: content
}

int main(void)
{
    use();
    return 0;
}
