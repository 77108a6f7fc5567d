// Stored in a global on one path, lost on another.
#include <stdlib.h>
#include <string.h>

static char *table[8];
static int used;

int add(const char *s) {
	char *p = strdup(s); // alloc: p
	if (!p)
		return -1;
	if (used == 8)
		return -1; // leak@default: p
	table[used++] = p;
	return 0;
}

struct list { struct list *next; char *name; };

int push(struct list **all, const char *s) {
	struct list *n = malloc(sizeof *n); // alloc: n
	if (!n)
		return -1;
	n->name = NULL;
	if (s[0] == '#')
		return 1; // leak@default: n
	n->next = *all;
	*all = n;
	return 0;
}

// What never escapes is reported under either setting.
int stays(const char *s) {
	char *q = strdup(s); // alloc: q
	if (q && q[0] == '#')
		return 1; // leak: q
	free(q);
	return 0;
}
