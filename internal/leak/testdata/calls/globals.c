// Functions in global variables, set by a function, and through their address.
#include <stdio.h>
#include <stdlib.h>

static void quiet(char *p) { p[0] = 0; }
static void loud(char *p) { p[0] = '!'; }
static void gone(char *p) { free(p); }

static void (*on_message)(char *) = quiet;
static void (*on_end)(char *);
static void (*on_start)(char *);

static void set_handler(void (*f)(char *)) { on_message = f; }
static void install(void (**slot)(char *), void (*f)(char *)) { *slot = f; }

static void message(void)
{
    char *p = malloc(4); // alloc: message
    if (!p)
        return;
    on_message(p);
} // leak: message

static void end(void)
{
    char *p = malloc(4);
    if (!p)
        return;
    on_message(p);
    on_end(p);
}

static void start(void)
{
    char *p = malloc(4);
    if (!p)
        return;
    on_start(p);
}

int main(void)
{
    set_handler(loud);
    on_end = gone;
    install(&on_start, gone);
    message();
    end();
    start();
    return 0;
}
