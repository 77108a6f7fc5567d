// What a struct owns is lost with it: in its function, and in one that takes it.
// run: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct user { char *name; int age; };
struct buf { char *data; size_t cap; };

static struct user *user_new(const char *name, int age)
{
    struct user *u = malloc(sizeof *u);
    if (!u)
        return NULL;
    u->name = strdup(name);
    if (!u->name) {
        free(u);
        return NULL;
    }
    u->age = age;
    return u;
}

static struct buf *buf_new(size_t cap)
{
    struct buf *b = malloc(sizeof *b);
    if (!b)
        return NULL;
    b->data = malloc(cap);
    b->cap = b->data ? cap : 0;
    return b;
}

static void buf_free(struct buf *b)
{
    free(b);
}

int main(void)
{
    struct user *u = user_new("ann", 30);
    struct buf *b;
    if (!u)
        return 1;
    printf("%s %d\n", u->name, u->age);
    free(u);
    b = buf_new(16);
    if (!b)
        return 1;
    printf("%zu\n", b->cap);
    buf_free(b);
    return 0;
}
