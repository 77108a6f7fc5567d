// As idiom_last_of_list_in_field.c, but the last element is not noted, so the first one is
// overwritten.
#include <stdlib.h>
#include <string.h>
struct chunk { struct chunk *next; char data[8]; };
struct journal { int chunk_size; struct chunk *first, *last; long offset; };

int append(struct journal *j, const char *buf, int n)
{
    while (n > 0) {
        struct chunk *c = j->last;
        int off = (int)(j->offset % j->chunk_size);
        int space = n < j->chunk_size - off ? n : j->chunk_size - off;

        if (off == 0) {
            struct chunk *new = malloc(sizeof *new); // alloc: o0
            if (!new)
                return -1;
            new->next = NULL;
            if (c)
                c->next = new;
            else
                j->first = new; // leak: o0
            c = new;
        }
        if (c) memcpy(c->data + off, buf, space);
        buf += space;
        n -= space;
        j->offset += space;
    }
    return 0;
}

int main(void)
{
    struct journal j = { 8, NULL, NULL, 0 };
    int rc = append(&j, "a text that is longer", 21);
    while (j.first) {
        struct chunk *next = j.first->next;
        free(j.first);
        j.first = next;
    }
    return rc;
}
