// A path is made in one file and forgotten in another, when there is nothing to
// rename.
// paper: SMOKE, figure 9 (bftpd): leak across files, missed by tools that look at one file
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *full_path(const char *name);

static char *pending;

static void rename_from(const char *name)
{
    free(pending);
    pending = full_path(name);
}

static int rename_to(const char *name)
{
    char *target = full_path(name); // alloc: target
    if (!target || !pending) {
        puts("cannot rename");
        return -1; // leak: target
    }
    printf("%s to %s\n", pending, target);
    free(pending);
    free(target);
    pending = NULL;
    return 0;
}

static int rename_to_well(const char *name)
{
    char *target = full_path(name);
    if (!target || !pending) {
        puts("cannot rename");
        free(target);
        return -1;
    }
    printf("%s to %s\n", pending, target);
    free(pending);
    free(target);
    pending = NULL;
    return 0;
}

int main(void)
{
    rename_to("x");
    rename_from("a");
    rename_to("b");
    rename_from("a");
    rename_to_well("b");
    rename_to_well("c");
    return 0;
}
