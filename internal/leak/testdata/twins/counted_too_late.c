// As idiom_counter_many_states.c, but what was added is counted only when it is complete.
// run: "
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

		if (s[i] == ' ' || s[i] == '\t')
			continue;
		if (terminate_on_comment && s[i] == '#')
			break;

		quote = 0;

		argv = xreallocarray(argv, (argc + 2), sizeof(*argv)); // alloc: o0
		arg = argv[argc] = xcalloc(1, strlen(s + i) + 1);


		for (j = 0; s[i] != '\0'; i++) {
			if (quote == 0 && (s[i] == ' ' || s[i] == '\t'))
				break;
			else if (quote == 0 && (s[i] == '\"' || s[i] == '\''))
				quote = s[i];
			else if (quote != 0 && s[i] == quote)
				quote = 0;
			else
				arg[j++] = s[i];
		}
		if (quote == 0)
			argc++;
		if (s[i] == '\0') {
			if (quote != 0) {

				r = -2;
				free(arg);
				goto out;
			}
			break;
		}
	}

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
	return r; // leak: o0
}

int main(int c, char **v)
{
	char **argv;
	int argc, i;

	if (argv_split(c > 1 ? v[1] : "x", &argc, &argv, 0) != 0)
		return 0;
	for (i = 0; i < argc; i++)
		free(argv[i]);
	free(argv);
	return 0;
}
