// Clean. `p ? p : NULL` is p itself: what a callee left in p goes to the caller.
// (The test before it is what makes the difference: without it, nothing is reported.)
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fetch(char **name, const char *doc)
{
	*name = strcmp(doc, "-") == 0 ? NULL : strdup(doc);
	return 0;
}

void record(const char *s) { puts(s); }

int retrieve(char **file, const char *doc, int verbose)
{
	char *name = NULL;
	int r = fetch(&name, doc); // alloc: o0

	if (name && verbose)
		record(name);
	if (file)
		*file = name ? name : NULL;
	else
		free(name);
	return r;
}

int main(int argc, char **argv)
{
	char *file;

	retrieve(NULL, argv[0], argc > 1);
	retrieve(&file, argv[0], argc > 1);
	free(file);
	return 0;
}
