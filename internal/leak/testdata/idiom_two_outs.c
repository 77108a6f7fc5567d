// Clean. parse() stores a key and a comment together, or neither: a caller that
// sees key == NULL has no comment.
#include <stdlib.h>
#include <string.h>
struct key { int type; };
static int parse(const char *s, struct key **keyp, char **commentp)
{
	struct key *k = NULL;
	char *comment = NULL;
	int r = -1;

	if (keyp != NULL)
		*keyp = NULL;
	if (commentp != NULL)
		*commentp = NULL;
	if ((k = calloc(1, sizeof(*k))) == NULL)
		goto out;
	if ((comment = strdup(s)) == NULL)
		goto out;
	if (*s == '!') {
		r = -43;
		goto out;
	}
	r = 0;
	if (keyp != NULL) {
		*keyp = k;
		k = NULL;
	}
	if (commentp != NULL) {
		*commentp = comment;
		comment = NULL;
	}
out:
	free(comment);
	free(k);
	return r;
}
int add(const char *s, const char *t)
{
	struct key *key;
	char *comment = NULL;
	int r;

	if ((r = parse(s, &key, &comment)) != 0 && r != -43) // alloc: o0
		return -1;
	if (key == NULL) {
		if ((r = parse(t, &key, &comment)) != 0)
			return -1;
	}
	free(comment);
	free(key);
	return 0;
}
