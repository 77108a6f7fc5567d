// libc's search tree holds the keys: tdestroy with a function that does nothing
// loses them all, with free it loses none.
//
// run: lose => A=3/24
// run: free =>
// run: keep => ~A=3/24 ~B=3/?
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>
#include <string.h>

static void *root;

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void nothing(void *p)
{
	(void)p;
}

static void add(const char *s)
{
	char *key = malloc(8); // alloc: A
	strcpy(key, s);
	tsearch(key, &root, compare); // alloc: B
}

int main(int argc, char **argv)
{
	add("m");
	add("a");
	add("z");
	if (argc > 1 && argv[1][0] == 'l')
		tdestroy(root, nothing); // leak: A
	else if (argc > 1 && argv[1][0] == 'f')
		tdestroy(root, free);
	return 0;
}
