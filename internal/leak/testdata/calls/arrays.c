// Functions in arrays: local, static, given, and behind a pointer.
#include <stdlib.h>

typedef void (*action)(int *);

static void inc(int *p) { ++*p; }
static void dec(int *p) { --*p; }
static void drop(int *p) { free(p); }

static const action steps[] = {inc, dec, inc};
static const action last[] = {drop, drop};

static void by_static_table(int i)
{
    int *p = calloc(1, sizeof *p); // alloc: table
    if (!p)
        return;
    steps[i % 3](p);
} // leak: table

static void by_static_table_released(int i)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return;
    steps[i % 3](p);
    last[i % 2](p);
}

static void by_local_table(int i)
{
    action mine[] = {dec, inc};
    int *p = calloc(1, sizeof *p); // alloc: local
    if (!p)
        return;
    mine[i % 2](p);
} // leak: local

static void run(const action *f, int n, int *p)
{
    for (int i = 0; i < n; i++)
        f[i](p);
}

static void given(void)
{
    action both[2];
    both[0] = inc;
    both[1] = dec;
    int *p = calloc(1, sizeof *p); // alloc: given
    if (!p)
        return;
    run(both, 2, p);
} // leak: given

static void walk(const action *f, int *p)
{
    for (; *f; f++)
        (*f)(p);
}

static void given_until_null(void)
{
    static const action list[] = {inc, inc, NULL};
    int *p = calloc(1, sizeof *p); // alloc: until
    if (!p)
        return;
    walk(list, p);
} // leak: until

static action *made;

static int make(void)
{
    made = malloc(2 * sizeof *made);
    if (!made)
        return -1;
    made[0] = drop;
    made[1] = drop;
    return 0;
}

static void on_the_heap(int i)
{
    int *p = calloc(1, sizeof *p);
    if (!p)
        return;
    made[i % 2](p);
}

int main(int argc, char **argv)
{
    (void)argv;
    by_static_table(argc);
    by_static_table_released(argc);
    by_local_table(argc);
    given();
    given_until_null();
    if (make() == 0) {
        on_the_heap(argc);
        free(made);
    }
    return 0;
}
