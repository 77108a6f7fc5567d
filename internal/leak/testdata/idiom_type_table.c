// Clean. A key of type -1 is in no table, so is_cert() is 0 and key_new(-1)
// allocates no cert; free(k) loses nothing.
#include <stdlib.h>
struct impl { int type, cert; };
static const struct impl plain = { 3, 0 }, signed_ = { 7, 1 };
static const struct impl *const impls[] = { &plain, &signed_, NULL };
struct key { int type; int *cert; };
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
	if (is_cert(k)) {
		if ((k->cert = calloc(1, sizeof(int))) == NULL) {
			free(k);
			return NULL;
		}
	}
	return k;
}
int probe(void)
{
	struct key *k = key_new(-1); // alloc: o0
	if (k == NULL)
		return -1;
	free(k);
	return 0;
}
