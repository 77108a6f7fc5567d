// As idiom_global_flag_retested.c, but the option may be set at any time.
// run: 2 1
#include <stdlib.h>
struct server { int mode; int loading; } server = { 2, 0 };
struct opt { const char *name; int *addr; } opts[] = { { "loading", NULL }, { "mode", &server.mode } };
static void set_command(int i) { if (opts[i].addr) *opts[i].addr = i; }
static void get_command(int i) { (void)i; }
void (*commands[])(int) = { get_command, set_command };
static int left;
static int next_event(void) { return left > 0 ? left-- : 0; }
static void events(void) { int e; while ((e = next_event())) commands[e % 2](e % 2); }
static int load(int *db) { events(); return db == NULL ? -1 : db[0]; }
static int *make_db(void) { int *d = calloc(4, sizeof *d); if (!d) abort(); return d; }
static void drop_db(int *d) { free(d); }
int current[4];

void sync_now(int use)
{
    int *tmp = NULL, *db;
    if (use && server.mode == 2)
        tmp = make_db(); // alloc: o0
    server.loading = 1;
    if (use) {
        int bad;
        if (server.mode == 2)
            db = tmp;
        else
            db = current;
        bad = load(db);
        if (bad) {
            server.loading = 0;
            if (server.mode == 2)
                drop_db(tmp);
            return; // leak-missed: o0
        }
        if (server.mode == 2)
            drop_db(tmp);
    }
    server.loading = 0;
} // leak: o0

int main(int argc, char **argv)
{
    if (argc > 1) server.mode = atoi(argv[1]);
    if (argc > 2) left = atoi(argv[2]);
    sync_now(1);
    return 0;
}
// limit-missed: held while a global says so, when a call in between may set that through a pointer
