// As idiom_string_end_reread.c, but the loop goes on where the string does not end.
// run: ?
// run: x
// run: b
#include <stdlib.h>
#include <string.h>
#include <stdio.h>

struct value { int type; char *string; };
static struct value *kept;

static void *xcalloc(size_t n, size_t m)
{
    void *p = calloc(n, m);
    if (!p) abort();
    return p;
}

int parse(const char *string, const char *template, int last)
{
    struct value *new = NULL;
    const char *found;
    unsigned char flag;

    for (;;) {
        flag = *string++;
        if (flag == '\0')
            break;
        if (flag == '?')
            return 1; // leak: o0
        found = strchr(template, flag);
        if (found == NULL)
            return 2; // leak: o0
        if (*++found != ':')
            continue;
        new = xcalloc(1, sizeof *new); // alloc: o0; leak: o0
        if (*string == 'k') {
            new->type = *string;
        } else {
            if (last)
                continue;
            new->type = 1;
        }
        free(kept);
        kept = new;
        new = NULL;
        break;
    }
    free(new);
    return 0;
}

int main(int argc, char **argv)
{
    char flags[] = "b.";

    flags[1] = argc > 1 ? argv[1][0] : 'k';
    parse(flags, "ab:", 1);
    free(kept);
    return 0;
}
