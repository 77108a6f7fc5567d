// A header comes from a pool or is made; a duplicate is an error, and the header
// goes nowhere.
// paper: LeakPoint, figure 2c (lighttpd): leak, forgotten at the return
#include <stdlib.h>
#include <string.h>

struct header { char key[16]; struct header *next; };
struct request { struct header *unused, *headers; int length_set; };

static struct header *pool_take(struct request *r)
{
    struct header *h = r->unused;
    if (h)
        r->unused = h->next;
    return h;
}

static void insert(struct request *r, struct header *h)
{
    h->next = r->headers;
    r->headers = h;
}

static int parse(struct request *r, const char *key)
{
    struct header *h;
    if ((h = pool_take(r)) == NULL)
        h = calloc(1, sizeof *h); // alloc: header
    if (!h)
        return -1;
    strncpy(h->key, key, sizeof h->key - 1);
    if (strcmp(h->key, "length") == 0) {
        if (r->length_set)
            return 400; // leak: header
        r->length_set = 1;
    }
    insert(r, h);
    return 0;
}

static int parse_well(struct request *r, const char *key)
{
    struct header *h;
    if ((h = pool_take(r)) == NULL)
        h = calloc(1, sizeof *h);
    if (!h)
        return -1;
    strncpy(h->key, key, sizeof h->key - 1);
    if (strcmp(h->key, "length") == 0) {
        if (r->length_set) {
            insert(r, h);
            return 400;
        }
        r->length_set = 1;
    }
    insert(r, h);
    return 0;
}

static void clear(struct request *r)
{
    while (r->headers) {
        struct header *h = r->headers;
        r->headers = h->next;
        free(h);
    }
}

int main(void)
{
    struct request a = { NULL, NULL, 0 }, b = { NULL, NULL, 0 };
    parse(&a, "length");
    parse(&a, "length");
    parse_well(&b, "length");
    parse_well(&b, "length");
    clear(&a);
    clear(&b);
    return 0;
}
