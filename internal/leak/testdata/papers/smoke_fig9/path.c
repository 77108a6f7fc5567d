// The part that makes a path.
#include <stdlib.h>
#include <string.h>

static void join(char *to, const char *name)
{
    strcpy(to, "/srv/");
    strcat(to, name);
}

char *full_path(const char *name)
{
    char *result = malloc(strlen(name) + 6);
    char *copy;
    if (!result)
        return NULL;
    copy = strdup(name);
    if (!copy) {
        free(result);
        return NULL;
    }
    join(result, copy);
    free(copy);
    return result;
}
