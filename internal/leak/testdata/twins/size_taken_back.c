// As idiom_counter_many_states.c, but the size is set back to 0.
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct cell { int flags; int size; char data[4]; };
struct line { int flags, len; struct cell *cells; };
struct grid { unsigned hsize, sy; struct line *lines; };

static void *xreallocarray(void *p, size_t n, size_t m)
{
    void *q = reallocarray(p, n, m);
    if (!q) abort();
    return q;
}
static unsigned length(struct grid *g, unsigned y) { return g->lines[y].len; }
static void get(struct grid *g, unsigned x, unsigned y, struct cell *c) { *c = g->lines[y].cells[x]; }
static char *tocstr(struct cell *c)
{
    char *s = calloc(1, 64);
    if (!s) abort();
    for (int i = 0; c->size && i < 15; c++, i++)
        strncat(s, c->data, c->size);
    return s;
}

char *word(struct grid *gd, unsigned x, unsigned y, const char *ws)
{
    struct cell gc, *ud = NULL;
    unsigned end;
    size_t size = 0;
    int found = 0;
    char *s = NULL;

    for (;;) {
        if (x == 0) {
            if (y == 0)
                break;
            if (~gd->lines[y - 1].flags & 1)
                break;
            y--;
            x = length(gd, y);
            if (x == 0)
                break;
        }
        x--;
        get(gd, x, y, &gc);
        if (strchr(ws, gc.data[0]) != NULL)
            break;
        found = 1;
    }
    found = 0;
    for (;;) {
        if (found) {
            end = length(gd, y);
            if (end == 0 || x == end - 1) {
                if (y == gd->hsize + gd->sy - 1)
                    break;
                if (~gd->lines[y].flags & 1)
                    break;
                y++;
                x = 0;
            } else
                x++;
        }
        found = 1;

        get(gd, x, y, &gc);
        if (gc.flags & 4)
            break;
        if (strchr(ws, gc.data[0]) != NULL || (gc.size == 1 && gc.data[0] == ' '))
            break;

        ud = xreallocarray(ud, size + 2, sizeof *ud); // alloc: o0
        memcpy(&ud[size++], &gc, sizeof *ud);
        if (gc.data[0] == 'b')
            size = 0;
    }
    if (size != 0) {
        ud[size].size = 0;
        s = tocstr(ud);
        free(ud);
    }
    return s; // leak: o0
}

int main(void)
{
    struct cell c[3] = { { 0, 1, "a" }, { 0, 1, "b" }, { 0, 1, " " } };
    struct line l = { 0, 3, c };
    struct grid g = { 0, 1, &l };
    char *s = word(&g, 0, 0, "-");
    if (s) puts(s);
    free(s);
    s = word(&g, 2, 0, "-");
    free(s);
    return 0;
}
