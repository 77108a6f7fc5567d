// A buffer exists when there is something to put into it.
// paper: Melton, figures 2 and 3: no leak, given path conditions within the function
#include <stdio.h>
#include <stdlib.h>

static void copy(int n)
{
    char *room;
    if (n > 0)
        room = malloc((size_t)n);
    else
        room = NULL;
    puts("copying");
    if (n > 0)
        free(room);
    else
        puts("nothing to copy");
}

static void copy_badly(int n)
{
    char *room;
    if (n > 0)
        room = malloc((size_t)n); // alloc: room
    else
        room = NULL;
    puts("copying");
    if (n > 1)
        free(room);
    else
        puts("nothing to copy");
} // leak: room

int main(void)
{
    copy(0);
    copy(3);
    copy_badly(0);
    copy_badly(1);
    copy_badly(3);
    return 0;
}
