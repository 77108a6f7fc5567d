// Closing the gap in an array of structs by memmove overwrites the element: its
// name is lost there. In the clean order it is freed before.
//
// run: lose => A=1/14
// run: free =>
#include <stdlib.h>
#include <string.h>

struct entry { char *name; int n; };
static struct entry *table;
static int count;

static void add(const char *name)
{
	table = realloc(table, (count + 1) * sizeof *table);
	table[count].name = malloc(14); // alloc: A
	strcpy(table[count].name, name);
	table[count].n = count;
	count++;
}

static void drop(int i, int release)
{
	if (release)
		free(table[i].name);
	memmove(table + i, table + i + 1, (count - i - 1) * sizeof *table); // leak: A
	count--;
	table[count].name = NULL;
}

int main(int argc, char **argv)
{
	add("one");
	add("two");
	add("three");
	add("four");
	drop(1, argc > 1 && argv[1][0] == 'f');
	for (int i = 0; i < count; i++)
		free(table[i].name);
	free(table);
	return 0;
}
