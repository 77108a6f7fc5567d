// As idiom_copy_of_nonempty.c, but an empty string is copied too.
#include <stdlib.h>
#include <string.h>

static void *xmalloc(size_t s)
{
    void *p = malloc(s);
    if (!p)
        abort();
    return p;
}
static void *xmemdup(void const *p, size_t s) { return memcpy(xmalloc(s), p, s); }
static char *xstrdup(char const *s) { return xmemdup(s, strlen(s) + 1); }

static char *from_env(void)
{
    char *env = getenv("RC");
    if (env)
        return xstrdup(env);
    return NULL;
}

static char *from_home(void) { return getenv("HOME") ? xstrdup("home") : NULL; }

char *file_name(void)
{
    char *file = from_env(); // alloc: o0
    if (file && *file)
        return file;
    file = from_home(); // leak: o0
    return file;
}

int main(void)
{
    setenv("RC", "", 1);
    free(file_name());
    return 0;
}
