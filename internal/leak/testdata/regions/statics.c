// Static locals, static structs and thread-local variables keep what they hold;
// leaky: they are overwritten, or made anew.
#include <stdlib.h>
#include <string.h>

static struct { char *name; char *home; } settings;
static _Thread_local char *buffer;

static char *once(void)
{
    static char *cached;
    if (!cached)
        cached = strdup("x");
    return cached;
}

static char *every_time(void)
{
    static char *cached;
    cached = strdup("x"); // alloc: every; leak: every
    return cached;
}

static void set_name(const char *s)
{
    free(settings.name);
    settings.name = strdup(s);
}

static void set_home(const char *s)
{
    settings.home = strdup(s); // alloc: home; leak: home
}

static char *scratch(void)
{
    if (!buffer)
        buffer = malloc(64);
    return buffer;
}

static void reset(void)
{
    memset(&settings, 0, sizeof settings); // leak-missed: reset
}

static void again(void)
{
    settings.name = strdup("z"); // alloc: reset
    reset();
}

int main(void)
{
    once();
    once();
    every_time();
    every_time();
    set_name("a");
    set_name("b");
    set_home("a");
    set_home("b");
    scratch();
    scratch();
    free(settings.name);
    again();
    return 0;
}
// limit-missed: in a global that `memset` overwrites
