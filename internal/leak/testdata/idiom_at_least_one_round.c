// A loop puts the object away, and a function that never returns less than one says
// how often it runs.
#include <stdlib.h>

struct map { char **region; int n; };

static int per_page(int page)
{
    if (page < 32768)
        return 1;
    return page / 32768;
}

int extend(struct map *m, int page, int want)
{
    int per = per_page(page);
    while (m->n < want) {
        char *mem = malloc(64 * (size_t)per); // alloc: o0
        if (!mem)
            return -1;
        for (int i = 0; i < per; i++)
            m->region[m->n + i] = mem + 64 * i;
        m->n += per;
    }
    return 0;
}

int main(void)
{
    char *region[4];
    struct map m = { region, 0 };
    int rc = extend(&m, 4096, 2);
    for (int i = 0; i < m.n; i++)
        free(region[i]);
    return rc;
}
