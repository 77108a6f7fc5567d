// A function returns a new buffer or a static one, by size; the caller tests the
// size again.
// paper: Melton, figure 4: no leak, given path conditions in summaries
#include <stdio.h>
#include <stdlib.h>

enum { SMALL = 16 };
static char shared[SMALL];

static char *room_for(unsigned n)
{
    if (n > SMALL)
        return malloc(n);
    return shared;
}

static void fill(unsigned n)
{
    char *room = room_for(n);
    if (!room)
        return;
    room[0] = 'x';
    if (n > SMALL)
        free(room);
    else
        puts("shared");
}

static void fill_badly(unsigned n)
{
    char *room = room_for(n); // alloc: room
    if (!room)
        return;
    room[0] = 'x';
    if (n > 2 * SMALL)
        free(room);
    else
        puts("shared");
} // leak: room

int main(void)
{
    fill(8);
    fill(20);
    fill_badly(8);
    fill_badly(20);
    fill_badly(40);
    return 0;
}
