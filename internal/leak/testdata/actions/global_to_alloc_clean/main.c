// GlobalToAlloc: what a global holds is moved into a new block, which is returned; both are freed.
// paper: Melton, figure 1c (GlobalToAlloc): no leak; Melton does not follow what is stored in the heap
#include <stdlib.h>
#include <string.h>
#include "box.h"

static void use(void)
{
    pending = strdup("x");
    struct box *b = box_up();
    free(b->content);
    free(b);
}

int main(void)
{
    use();
    return 0;
}
