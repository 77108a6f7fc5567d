// The memory is made and freed under the same test of a field, which a call in between
// sets to 0 as so many bytes.
#include <stdlib.h>
#include <string.h>
struct key { int own; int bits; };
static void wipe(void *p, size_t n) { memset(p, 0, n); }
int use(struct key *k, int some)
{
	char *p = NULL;

	if (some && k->own) {
		p = malloc(3); // alloc: o0
		if (!p)
			abort();
	}
	wipe(k, sizeof *k);
	if (some && k->own)
		free(p);
	return 0; // leak: o0
}

int main(int argc, char **argv)
{
	struct key k = { 1, 2 };
	(void)argv;
	return use(&k, argc);
}
