// As idiom_at_least_one_round.c, but the loop runs one time less, so perhaps never.
#include <stdlib.h>
#include <unistd.h>
struct map { char **region; int n, size; };

static int page_size(void) { return getpagesize(); }

static int per_map(void)
{
    int size = 32 * 1024;
    int page = page_size();
    if (page < size)
        return 1;
    return page / size;
}

int extend(struct map *m, int region, int size)
{
    int per = per_map();
    int want = ((region + per) / per) * per;

    if (m->n < want) {
        char **r = realloc(m->region, want * sizeof *r);
        if (!r)
            return -1;
        m->region = r;
        m->size = size;
        while (m->n < want) { // leak: o0
            int bytes = size * per;
            int i;
            char *mem = malloc(bytes); // alloc: o0
            if (!mem)
                return -1;
            for (i = 0; i < per - 1; i++)
                m->region[m->n + i] = &mem[size * i];
            m->n += per;
        }
    }
    return 0;
}

int main(void)
{
    struct map m = { NULL, 0, 0 };
    int per = per_map(), rc = extend(&m, 3, 64);
    for (int i = 0; i < m.n; i += per)
        if (per > 1)
            free(m.region[i]);
    free(m.region);
    return rc;
}
