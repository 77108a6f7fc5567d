// A global option chooses the allocation and later the release. In between, calls run that could in
// principle change it through a table of options, but do not while loading is set.
#include <stdlib.h>
struct server { int mode; int loading; } server;
struct opt { const char *name; int *addr; } opts[] = { { "mode", &server.mode } };
static void set_command(int i) { if (!server.loading) *opts[i].addr = i; }
static void get_command(int i) { (void)i; }
void (*commands[])(int) = { set_command, get_command };
int next_event(void);
static void events(void) { int e; while ((e = next_event())) commands[e](e); }
static int load(void) { events(); return next_event(); }
void sync_now(int use) {
    char *tmp = NULL;
    if (use && server.mode == 2) {
        tmp = malloc(10); // alloc: o0
        if (!tmp) abort();
    }
    server.loading = 1;
    if (use) {
        int bad = load();
        server.loading = 0;
        if (bad) {
            if (server.mode == 2)
                free(tmp);
            return; // leak-false: o0
        }
        if (server.mode == 2)
            free(tmp);
    }
} // leak-false: o0
// limit-false: a global is tested twice, and a call in between could have written it
