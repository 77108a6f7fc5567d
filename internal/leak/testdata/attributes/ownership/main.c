// ownership_returns, ownership_takes and ownership_holds, which clang only checks.
#include <stdlib.h>

struct thing { struct thing *next; int n; };

struct thing *lib_new(const char *name) __attribute__((ownership_returns(lib)));
void lib_delete(struct thing *t) __attribute__((ownership_takes(lib, 1)));
int lib_send(int to, struct thing *t) __attribute__((__ownership_takes__(lib, 2)));
void lib_add(struct thing *list, struct thing *t) __attribute__((ownership_holds(lib, 2)));

#define TAKES(n) __attribute__((ownership_takes(lib, n)))
TAKES(1) void lib_end(struct thing *t);

int returns_leaky(int n)
{
    struct thing *t = lib_new("a"); // alloc: made
    if (!t)
        return -1;
    if (n < 0)
        return -2; // leak: made
    lib_delete(t);
    return 0;
}

int takes_clean(int n)
{
    struct thing *t = lib_new("a");
    if (!t)
        return -1;
    if (n < 0)
        lib_delete(t);
    else if (n == 0)
        lib_end(t);
    else
        return lib_send(1, t);
    return 0;
}

// The release of one is not that of the other, although both go through t.
int takes_leaky(void)
{
    struct thing *t = lib_new("a");
    if (!t)
        return -1;
    lib_send(1, t);
    t = lib_new("b"); // alloc: second
    if (!t)
        return -1;
    t->n = 1;
    return 0; // leak: second
}

int holds_clean(struct thing *list)
{
    struct thing *t = lib_new("a");
    if (!t)
        return -1;
    lib_add(list, t);
    return 0;
}

int holds_leaky(struct thing *list, int n)
{
    struct thing *t = lib_new("a"); // alloc: unheld
    if (!t)
        return -1;
    if (n > 0)
        return -2; // leak: unheld
    lib_add(list, t);
    return 0;
}

int main(void)
{
    struct thing list = {0};
    returns_leaky(-1);
    returns_leaky(1);
    takes_clean(-1);
    takes_clean(0);
    takes_clean(1);
    takes_leaky();
    holds_clean(&list);
    holds_leaky(&list, 1);
    holds_leaky(&list, 0);
    while (list.next) {
        struct thing *next = list.next->next;
        free(list.next);
        list.next = next;
    }
    return 0;
}
