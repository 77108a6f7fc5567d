// Memory with a header: what callers see is not what free takes.
#include <stdlib.h>
#include <string.h>

typedef char *str;

struct head {
	size_t len;
	char text[];
};

str str_new(const char *s)
{
	struct head *h = malloc(sizeof *h + strlen(s) + 1); // by: free(p)
	if (!h)
		return NULL;
	strcpy(h->text, s);
	return h->text;
}

void str_free(str s)
{
	if (!s)
		return;
	free(s - sizeof(struct head));
}

int used(int n)
{
	str s = str_new("a"); // by: str_free(p)
	if (n)
		return 1;
	str_free(s);
	return 0;
}

int by_another_name(void)
{
	char *s = str_new("a"); // by: str_free(p)
	return *s;
}
