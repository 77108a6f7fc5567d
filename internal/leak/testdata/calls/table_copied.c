// An allocator behind a configuration that is copied from a static table, by
// assignment and by memcpy.
#include <stdlib.h>
#include <string.h>

struct methods {
    void *(*get)(size_t);
    void (*put)(void *);
};
struct config {
    int verbose;
    struct methods m;
};

static void *system_get(size_t n) { return malloc(n); }
static void system_put(void *p) { free(p); }

static const struct methods standard = {system_get, system_put};
static struct config config, second;

static void setup(void)
{
    config.m = standard;
    memcpy(&second.m, &standard, sizeof standard);
}

static void *get(size_t n)
{
    if (n == 0)
        return NULL;
    return config.m.get(n);
}

static void put(void *p)
{
    if (p)
        config.m.put(p);
}

static void *get_second(size_t n) { return second.m.get(n); }

static void good(void)
{
    char *p = get(10);
    put(p);
}

static void bad(void)
{
    char *p = get(10); // alloc: p
    if (p)
        p[0] = 0;
} // leak: p

static void bad_second(void)
{
    char *p = get_second(10); // alloc: q
    if (p)
        p[0] = 0;
} // leak: q

int main(void)
{
    setup();
    good();
    bad();
    bad_second();
    return 0;
}
