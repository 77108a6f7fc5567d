// ArgToAlloc: an argument is stored in a new block, which is returned; only the new block is freed.
// paper: Melton, figure 1b (ArgToAlloc): leak; Melton does not follow what is stored in the heap
#include <stdlib.h>
#include <string.h>
#include "word.h"

static void use(void)
{
    struct word *w = word_of(strdup("x")); // alloc: text
    free(w); // leak: text
}

int main(void)
{
    use();
    return 0;
}
