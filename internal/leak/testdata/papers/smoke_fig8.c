// The name of a module goes into a list that a global heads; if the module
// cannot be read, only the module is freed.
// paper: SMOKE, figure 8 (wine): leak on the failing branch, missed by tools that stop at a store to a global
#include <stdlib.h>
#include <string.h>

struct module { char *name, *path; struct module *next; };
static struct module *eager, *lazy;

static void *need(void *p)
{
    if (!p)
        abort();
    return p;
}

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return need(strdup(slash ? slash + 1 : path));
}

static void discard(struct module *m)
{
    free(m->path);
    free(m);
}

static int readable(const struct module *m) { return m->path[0] != '?'; }

static void attach(const char *path, int late)
{
    char *name = base_name(path); // alloc: name
    struct module *m = need(calloc(1, sizeof *m));
    m->path = need(strdup(path));
    if (!readable(m)) {
        discard(m);
        return; // leak: name
    }
    m->name = name;
    if (late) {
        m->next = lazy;
        lazy = m;
    } else {
        m->next = eager;
        eager = m;
    }
}

static void attach_well(const char *path)
{
    char *name = base_name(path);
    struct module *m = need(calloc(1, sizeof *m));
    m->path = need(strdup(path));
    if (!readable(m)) {
        discard(m);
        free(name);
        return;
    }
    m->name = name;
    m->next = eager;
    eager = m;
}

int main(void)
{
    attach("lib/a", 0);
    attach("lib/b", 1);
    attach("?/c", 0);
    attach_well("lib/d");
    attach_well("?/e");
    return 0;
}
