// What a function gives out belongs to the number it returns: the two are only
// right together.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

// 0 and a block, or an error and none.
static int load(const char *name, char **out)
{
    if (!name[0])
        return -EINVAL;
    *out = strdup(name);
    return *out ? 0 : -ENOMEM;
}

// The number of bytes, and a block if there are any; -1 on error.
static long slurp(const char *name, char **out)
{
    long n = (long)strlen(name);
    *out = NULL;
    if (name[0] == '!')
        return -1;
    if (n == 0)
        return 0;
    *out = strdup(name);
    if (!*out)
        return -1;
    return n;
}

// A block, or null and why.
static char *open_text(const char *name, int *why)
{
    char *s;
    if (!name[0]) {
        *why = EINVAL;
        return NULL;
    }
    s = strdup(name);
    *why = s ? 0 : ENOMEM;
    return s;
}

static int not_zero(const char *name)
{
    char *text;
    if (load(name, &text) != 0)
        return -1;
    free(text);
    return 0;
}

static int kept_code(const char *name)
{
    char *text = NULL;
    int rc = load(name, &text);
    if (rc < 0)
        return rc;
    free(text);
    return rc;
}

static int by_switch(const char *name)
{
    char *text = NULL;
    switch (load(name, &text)) {
    case 0:
        break;
    case -EINVAL:
        return 1;
    default:
        return 2;
    }
    free(text);
    return 0;
}

static int counted(const char *name)
{
    char *text;
    long n = slurp(name, &text);
    if (n <= 0)
        return (int)n;
    free(text);
    return 1;
}

static int reasoned(const char *name)
{
    int why;
    char *text = open_text(name, &why); // alloc: reasoned
    if (why)
        return why;
    free(text);
    return 0;
}

static int wrong_side(const char *name)
{
    char *text; // the error is handled, the block is not
    if (load(name, &text) != 0) // alloc: wrong
        return -1;
    return text[0]; // leak: wrong
}

static int wrong_bound(const char *name)
{
    char *text;
    long n = slurp(name, &text); // alloc: bound
    if (n <= 1)
        return (int)n; // leak: bound
    free(text);
    return 1;
}

static int ignored(const char *name)
{
    int why;
    char *text = open_text(name, &why); // alloc: ignored
    if (why == 0)
        return 0; // leak: ignored
    free(text);
    return why;
}

int main(void)
{
    static const char *const names[] = { "", "!", "x", "xy" };
    for (int i = 0; i < 4; i++) {
        not_zero(names[i]);
        kept_code(names[i]);
        by_switch(names[i]);
        counted(names[i]);
        reasoned(names[i]);
        wrong_side(names[i]);
        wrong_bound(names[i]);
        ignored(names[i]);
    }
    return 0;
}
