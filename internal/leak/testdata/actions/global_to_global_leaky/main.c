// GlobalToGlobal: what one global holds is moved to another; what the other global held is overwritten.
// paper: Melton, figure 1c (GlobalToGlobal): leak; Melton follows it
#include <stdlib.h>
#include <string.h>

extern char *latest, *previous;
void rotate(void);

static void use(void)
{
    latest = strdup("one"); // alloc: one
    rotate();
    latest = strdup("two");
    rotate();
    free(previous);
    previous = NULL;
}

int main(void)
{
    use();
    return 0;
}
