// A field has the last element of a list. Once one was added it is never null
// again, so that the first one is not put over another.
#include <stdlib.h>

struct chunk { struct chunk *next; int used; };
struct journal { struct chunk *first, *last; };

int append(struct journal *j, int n)
{
    while (n > 0) {
        struct chunk *last = j->last;
        struct chunk *c = malloc(sizeof *c); // alloc: o0
        if (!c)
            return -1;
        c->next = NULL;
        if (last)
            last->next = c;
        else
            j->first = c; // leak-false: o0
        j->last = c;
        n--;
    }
    return 0;
}

int main(void)
{
    struct journal j = { NULL, NULL };
    int rc = append(&j, 4);
    while (j.first) {
        struct chunk *next = j.first->next;
        free(j.first);
        j.first = next;
    }
    return rc;
}
// limit-false: the last element of a list in a field, which is not null once there is one
