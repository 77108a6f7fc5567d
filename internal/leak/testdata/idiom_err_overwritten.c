// Clean. The comment is new when load() returned 0, and then only set_name()
// can change the result, to -10: a caller that sees -43 has no comment.
//
#include <stdlib.h>
#include <string.h>
struct key { int type; };
int decrypt(const char *);
static int set_name(struct key *k)
{
	if (k == NULL)
		return -10;
	return 0;
}
static int parse(const char *s, struct key **keyp, char **commentp)
{
	int r;

	if ((r = decrypt(s)) != 0)
		return r;
	if ((*keyp = calloc(1, sizeof(**keyp))) == NULL)
		return -2;
	if ((*commentp = strdup(s)) == NULL)
		abort();
	return 0;
}
static int load(const char *s, struct key **keyp, char **commentp)
{
	int r;

	*keyp = NULL;
	*commentp = NULL;
	r = parse(s, keyp, commentp);
	if (r == 0 && *keyp)
		r = set_name(*keyp);
	return r;
}
int change(const char *s, const char *t)
{
	struct key *key;
	char *comment;
	int r;

	r = load(s, &key, &comment);
	if (r == -43)
		r = load(t, &key, &comment);
	if (r != 0)
		abort();
	free(comment);
	free(key);
	return 0;
}
