// As idiom_global_flag_retested.c, but a store through a pointer in a table changes the
// global that is tested.
#include <stdlib.h>
struct server { int mode; int loading; } server = { 2, 0 };
struct opt { const char *name; int *addr; } opts[] = { { "loading", NULL }, { "mode", &server.mode } };
static void set_command(int i) { if (opts[i].addr) *opts[i].addr = i; }
int f(int k, int use)
{
    char *p = NULL;
    if (use && server.mode == 2) { p = malloc(3); if (!p) abort(); } // alloc: o0
    set_command(k);
    if (use) { if (server.mode == 2) free(p); }
    return 0; // leak: o0
}
int main(int c, char **v) { return f(c, c); }
