// LeakPoint's motivating example (a placement program's hash table), in our words:
// the boxes of the table are freed without the names in them.
//
// run: => N=3/24
#include <stdlib.h>
#include <string.h>

struct box { struct box *next; int number; char *name; };
static struct box **table;
static int counter;

static void enter(const char *name)
{
	struct box **at = &table[(unsigned char)name[0] % 4], *b;
	while (*at)
		at = &(*at)->next;
	b = *at = malloc(sizeof *b);
	b->next = NULL;
	b->number = ++counter;
	b->name = malloc(8); // alloc: N
	strcpy(b->name, name);
}

static void destroy(void)
{
	for (int i = 0; i < 4; i++) {
		struct box *b = table[i], *behind;
		if (!b)
			continue;
		behind = b;
		while (b->next) {
			b = b->next;
			free(behind); // leak: N
			behind = b;
		}
		free(b); // leak: N
	}
	free(table);
}

int main(void)
{
	table = calloc(4, sizeof *table);
	enter("a");
	enter("b");
	enter("e");
	destroy();
	return 0;
}
