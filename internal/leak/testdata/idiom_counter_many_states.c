// Clean. argc counts the arguments: it is at least 1 when the quote is not
// closed, so the test argc != 0 frees argv.
// Clean again when the inner test is just quote == 0 && s[i] == ' ': it looks
// as if argc >= 1 is lost when too many states meet in the inner loop.
#include <stdlib.h>
#include <string.h>
static void *xreallocarray(void *p, size_t n, size_t m)
{
	void *q = reallocarray(p, n, m);
	if (q == NULL)
		abort();
	return q;
}
static void *xcalloc(size_t n, size_t m)
{
	void *q = calloc(n, m);
	if (q == NULL)
		abort();
	return q;
}
int
argv_split(const char *s, int *argcp, char ***argvp, int terminate_on_comment)
{
	int r = -1;
	int argc = 0, quote, i, j;
	char *arg, **argv = xcalloc(1, sizeof(*argv));

	*argvp = NULL;
	*argcp = 0;

	for (i = 0; s[i] != '\0'; i++) {
		/* Skip leading whitespace */
		if (s[i] == ' ' || s[i] == '\t')
			continue;
		if (terminate_on_comment && s[i] == '#')
			break;
		/* Start of a token */
		quote = 0;

		argv = xreallocarray(argv, (argc + 2), sizeof(*argv)); // alloc: o0
		arg = argv[argc++] = xcalloc(1, strlen(s + i) + 1);

		/* Copy the token in, removing escapes */
		for (j = 0; s[i] != '\0'; i++) {
			if (quote == 0 && (s[i] == ' ' || s[i] == '\t'))
				break; /* done */
			else if (quote == 0 && (s[i] == '\"' || s[i] == '\''))
				quote = s[i]; /* quote start */
			else if (quote != 0 && s[i] == quote)
				quote = 0; /* quote end */
			else
				arg[j++] = s[i];
		}
		if (s[i] == '\0') {
			if (quote != 0) {
				/* Ran out of string looking for close quote */
				r = -2;
				goto out;
			}
			break;
		}
	}
	/* Success */
	*argcp = argc;
	*argvp = argv;
	argc = 0;
	argv = NULL;
	r = 0;
 out:
	if (argc != 0 && argv != NULL) {
		for (i = 0; i < argc; i++)
			free(argv[i]);
		free(argv);
	}
	return r;
}
