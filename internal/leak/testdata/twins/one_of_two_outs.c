// As idiom_two_outs.c, but one of the two is given even if the other is not.
// run: a b
// run: ! b
#include <stdlib.h>
#include <string.h>

struct key { int type; };

static void parse(const char *s, struct key **keyp, char **commentp)
{
	*keyp = NULL;
	if ((*commentp = strdup(s)) == NULL)
		abort();
	if (*s == '!')
		return;
	if ((*keyp = calloc(1, sizeof(**keyp))) == NULL)
		abort();
}

void add(const char *s, const char *t)
{
	struct key *key;
	char *comment = NULL;

	parse(s, &key, &comment); // alloc: o0
	if (key == NULL)
		parse(t, &key, &comment); // leak: o0
	free(comment);
	free(key);
}

int main(int argc, char **argv)
{
	add(argc > 1 ? argv[1] : "a", argc > 2 ? argv[2] : "b");
	return 0;
}
