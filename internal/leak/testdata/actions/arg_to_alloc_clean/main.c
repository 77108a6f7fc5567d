// ArgToAlloc: an argument is stored in a new block, which is returned; both are freed.
// paper: Melton, figure 1b (ArgToAlloc): no leak; Melton does not follow what is stored in the heap
#include <stdlib.h>
#include <string.h>
#include "word.h"

static void use(void)
{
    char *text = strdup("x");
    struct word *w = word_of(text);
    free(w->text);
    free(w);
}

int main(void)
{
    use();
    return 0;
}
