// Each turn of a loop makes a name; one that does not fit is not freed before
// the next.
// paper: Melton, figure 17 (OpenSSH): leak, lost in the second turn
#include <stdlib.h>
#include <string.h>

static const char *const offered[] = { "none", "key", "password", NULL };

static char *candidate(int i)
{
    char *s;
    if (!offered[i])
        return NULL;
    s = strdup(offered[i]);
    if (!s)
        abort();
    return s;
}

static int choose(const char *wanted)
{
    char *name = NULL;
    for (int i = 0;; i++) {
        if ((name = candidate(i)) == NULL) // alloc: name; leak: name
            return -1;
        if (strcmp(name, wanted) == 0) {
            free(name);
            return i;
        }
    }
}

static int choose_well(const char *wanted)
{
    char *name = NULL;
    for (int i = 0;; i++) {
        if ((name = candidate(i)) == NULL)
            return -1;
        if (strcmp(name, wanted) == 0) {
            free(name);
            return i;
        }
        free(name);
    }
}

int main(void)
{
    choose("key");
    choose("none");
    choose_well("password");
    choose_well("nothing");
    return 0;
}
