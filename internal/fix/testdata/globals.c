// A global and a field are overwritten that own what they point to.
// run: 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *current_dir;

struct conf { char *name; };

static void set_dir(const char *d)
{
    size_t n = strlen(d) + 1;
    current_dir = malloc(n);
    if (current_dir)
        memcpy(current_dir, d, n);
}

static void set_name(struct conf *c, const char *s)
{
    c->name = strdup(s);
}

int main(void)
{
    struct conf c = { NULL };
    set_dir("/tmp");
    set_dir("/var/tmp");
    puts(current_dir ? current_dir : "?");
    set_name(&c, "a");
    set_name(&c, "b");
    puts(c.name ? c.name : "?");
    free(c.name);
    return 0;
}
