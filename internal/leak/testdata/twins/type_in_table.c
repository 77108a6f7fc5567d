// As idiom_type_table.c, but the constant is in the table.
#include <stdlib.h>
#include <stdio.h>
struct impl { const char *name; int type, cert; };
static const struct impl plain = { "plain", 3, 0 }, signed_ = { "signed", 7, 1 };
static const struct impl *const impls[] = { &plain, &signed_, NULL };
struct cert { int serial; };
struct key { int type; struct cert *cert; };
static const struct impl *lookup(int type)
{
    int i;
    for (i = 0; impls[i] != NULL; i++)
        if (impls[i]->type == type)
            return impls[i];
    return NULL;
}
static int is_cert(const struct key *k)
{
    const struct impl *impl = lookup(k->type);
    return impl == NULL ? 0 : impl->cert;
}
struct key *key_new(int type)
{
    struct key *k;

    if ((k = calloc(1, sizeof(*k))) == NULL)
        return NULL;
    k->type = type;
    k->cert = NULL;
    if (is_cert(k)) {
        if ((k->cert = calloc(1, sizeof(*k->cert))) == NULL) {
            free(k);
            return NULL;
        }
    }
    return k;
}
int probe(void)
{
    struct key *k = key_new(7); // alloc: o0
    if (k == NULL)
        return -1;
    printf("%d\n", k->type);
    free(k); // leak: o0
    return 0;
}
int main(void)
{
    struct key *k = key_new(7);
    if (k)
        free(k->cert);
    free(k);
    return probe();
}
