// Library functions that give memory to their caller, all released.
//
// run: =>
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <netdb.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

static int dot(const struct dirent *e)
{
	return !strcmp(e->d_name, ".");
}

int main(void)
{
	char *s, *m = NULL;
	size_t n = 0;
	free(strdup("a"));
	free(strndup("abc", 2));
	free(wcsdup(L"wide"));
	free(realpath("/", NULL));
	free(getcwd(NULL, 0));
	if (asprintf(&s, "%d", 3) > 0)
		free(s);
	FILE *f = open_memstream(&m, &n);
	for (int i = 0; i < 2000; i++)
		fprintf(f, "%d ", i);
	fclose(f);
	free(m);
	struct dirent **list;
	int k = scandir("/", &list, dot, alphasort);
	while (k > 0)
		free(list[--k]);
	free(list);
	DIR *d = opendir("/");
	readdir(d);
	closedir(d);
	regex_t re;
	if (regcomp(&re, "a(b|c)*d", REG_EXTENDED) == 0) {
		regmatch_t match[2];
		regexec(&re, "xabcbd", 2, match, 0);
		regfree(&re);
	}
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST }, *res;
	if (getaddrinfo("127.0.0.1", NULL, &hints, &res) == 0)
		freeaddrinfo(res);
	f = fopen("/dev/null", "r");
	getc(f);
	fclose(f);
	f = popen("true", "r");
	pclose(f);
	void *p;
	if (posix_memalign(&p, 256, 100) == 0)
		free(p);
	free(aligned_alloc(64, 128));
	free(reallocarray(NULL, 3, 5));
	return 0;
}
