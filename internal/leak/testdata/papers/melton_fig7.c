// A short text goes into the caller's own array, a long one into a new block.
// paper: Melton, figures 7, 8 and 15: leak for the long one, none for the short one
#include <stdio.h>
#include <stdlib.h>

static void pick(int n, char **room, char *near)
{
    if (n <= 10)
        *room = near;
    else
        *room = calloc(1, (size_t)n);
}

static void long_text(void)
{
    int n = 16;
    char *room, near[10] = "";
    pick(n, &room, near); // alloc: room
    if (room)
        puts(room);
} // leak: room

static void short_text(void)
{
    int n = 8;
    char *room, near[10] = "";
    pick(n, &room, near);
    if (room)
        puts(room);
}

static void long_text_freed(void)
{
    int n = 16;
    char *room, near[10] = "";
    pick(n, &room, near);
    if (room)
        puts(room);
    if (room != near)
        free(room);
}

int main(void)
{
    long_text();
    short_text();
    long_text_freed();
    return 0;
}
