// Results through out-parameters, two levels deep; the second call overwrites.
//
// run: => A=1/21
#include <stdlib.h>

struct reader { char **to; };

static void fill(struct reader *r)
{
	*r->to = malloc(21); // alloc: A; leak: A
	(*r->to)[0] = 1;
}

static int load(char **out)
{
	struct reader r = { out };
	fill(&r);
	return *out != NULL;
}

int main(void)
{
	char *text = NULL;
	load(&text);
	load(&text);
	free(text);
	return 0;
}
