// References that are taken, handed on, given up and forgotten.
#include <stdlib.h>

struct obj { int refs, v; };

static struct obj *obj_new(int v)
{
    struct obj *o = malloc(sizeof *o);
    if (!o)
        exit(1);
    o->refs = 1;
    o->v = v;
    return o;
}
static struct obj *get(struct obj *o)
{
    o->refs++;
    return o;
}
static void ref(struct obj *o) { o->refs++; }
static void put(struct obj *o)
{
    if (--o->refs == 0)
        free(o);
}

// Forgets its reference on one path.
static int peek(struct obj *o)
{
    struct obj *mine = get(o);
    int v = mine->v;
    if (v == 0)
        return -1; // leak: peeked "forgotten"
    put(mine);
    return v;
}

int peeks(int v)
{
    struct obj *o = obj_new(v); // alloc: peeked
    int r = peek(o);
    put(o);
    return r;
}

// Gives it up on both.
static int look(struct obj *o)
{
    struct obj *mine = get(o);
    int v = mine->v;
    put(mine);
    return v ? v : -1;
}

int looks(int v)
{
    struct obj *o = obj_new(v);
    int r = look(o);
    put(o);
    return r;
}

// Takes two and gives up two.
void twice(int v)
{
    struct obj *o = obj_new(v);
    ref(o);
    struct obj *p = get(o);
    put(o);
    put(p);
    put(o);
}

// A counter that is no reference count.
struct log { int lines; char *text; };
static void line(struct log *l) { l->lines++; }
void logs(void)
{
    struct log *l = calloc(1, sizeof *l);
    if (!l)
        return;
    line(l);
    free(l);
}

int main(void)
{
    peeks(0);
    peeks(1);
    looks(0);
    looks(1);
    twice(2);
    logs();
    return 0;
}
