// As idiom_out_flag_result.c, but the flag may be set although there is a result.
// run: a
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
struct buf { char *d; size_t n; };
static struct buf *buf_new(void) { return calloc(1, sizeof(struct buf)); }
static void buf_free(struct buf *b) { if (b == NULL) return; free(b->d); free(b); }
static int buf_put(struct buf *b, const char *s, size_t n)
{
	char *d = realloc(b->d, b->n + n);
	if (d == NULL)
		return -1;
	memcpy(d + b->n, s, n);
	b->d = d;
	b->n += n;
	return 0;
}
static char *buf_string(struct buf *b)
{
	char *s = malloc(b->n + 1);
	if (s == NULL)
		return NULL;
	if (b->n)
		memcpy(s, b->d, b->n);
	s[b->n] = 0;
	return s;
}
static char *vexpand(int *parseerror, int dollar, const char *string, va_list ap)
{
	struct buf *b;
	int missing = 0;
	char *ret = NULL, *var, *varend, *val;
	size_t len;

	(void)ap;
	if ((b = buf_new()) == NULL)
		abort();
	if (parseerror == NULL)
		abort();
	*parseerror = 1;
	for (; *string != '\0'; string++) {
		if (dollar && string[0] == '$' && string[1] == '{') {
			string += 2;
			if ((varend = strchr(string, '}')) == NULL)
				goto out;
			len = varend - string;
			if (len == 0)
				goto out;
			if ((var = strndup(string, len)) == NULL)
				abort();
			if ((val = getenv(var)) == NULL)
				missing = 1;
			else if (buf_put(b, val, strlen(val)) != 0)
				abort();
			free(var);
			string += len;
			continue;
		}
		if (buf_put(b, string, 1) != 0)
			abort();
	}
	if (!missing && (ret = buf_string(b)) == NULL)
		abort();
	*parseerror = 0;
 out:
	buf_free(b);
	return *parseerror ? NULL : ret;
}
char *expand(int *parseerr, const char *string, ...)
{
	char *ret;
	int err;
	va_list ap;

	va_start(ap, string);
	ret = vexpand(&err, 1, string, ap);
	va_end(ap);
	if (parseerr != NULL)
		*parseerr = err || string[0] == 'a';
	return ret;
}
int use(const char *s)
{
	int err;
	char *p = expand(&err, s); // alloc: o0

	if (p == NULL || err)
		return 0; // leak: o0
	free(p);
	return 1;
}
int main(int argc, char **argv)
{
	return use(argc > 1 ? argv[1] : "a") > 1;
}
