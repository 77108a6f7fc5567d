// A large array, for which qsort takes a buffer of its own, while callbacks allocate.
//
// run: =>
#include <stdlib.h>
#include <string.h>

struct row { char *key; long n[4]; };

static int compare(const void *a, const void *b)
{
	char *copy = strdup(((const struct row *)a)->key);
	int r = strcmp(copy, ((const struct row *)b)->key);
	free(copy);
	return r;
}

int main(void)
{
	struct row *rows = calloc(300, sizeof *rows);
	for (int i = 0; i < 300; i++) {
		rows[i].key = malloc(8);
		for (int k = 0; k < 7; k++)
			rows[i].key[k] = (char)('a' + (i * 31 + k * 7) % 26);
		rows[i].key[7] = 0;
	}
	qsort(rows, 300, sizeof *rows, compare);
	struct row wanted = rows[100], *found = bsearch(&wanted, rows, 300, sizeof *rows, compare);
	if (!found)
		return 1;
	for (int i = 0; i < 300; i++)
		free(rows[i].key);
	free(rows);
	return 0;
}
