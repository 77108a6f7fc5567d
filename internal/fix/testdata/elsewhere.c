// What a function got from another one that counts references, what a destructor
// leaves behind, and what is made on some ways through an expression alone.
// run: 0
// run: 1
// run: 5
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct obj { int refs; int v; };
struct blk { struct blk *next; int used; };

static struct obj *obj_new(int v)
{
    struct obj *o = malloc(sizeof *o);
    if (!o)
        exit(1);
    o->refs = 1;
    o->v = v;
    return o;
}

static struct obj *get(struct obj *o) { o->refs++; return o; }

static void put(struct obj *o)
{
    if (--o->refs == 0)
        free(o);
}

static int peek(struct obj *o)
{
    struct obj *mine = get(o);
    int v = mine->v;
    if (v == 0) {
        return -1;
    }
    put(mine);
    return v;
}

static void push(struct blk **top)
{
    struct blk *b = malloc(sizeof *b);
    if (!b)
        exit(1);
    b->used = 0;
    b->next = *top;
    *top = b;
}

static void destroy(struct blk **top)
{
    free(*top);
    *top = NULL;
}

static int length(const char *s) { return (int)strlen(s); }

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 1;
    struct obj *o = obj_new(n);
    struct blk *a = NULL;
    int len = argc > 1 ? length(strdup(argv[1])) : 0;
    for (int i = 0; i < n; i++)
        push(&a);
    destroy(&a);
    printf("%d %d\n", peek(o), len);
    put(o);
    return 0;
}
