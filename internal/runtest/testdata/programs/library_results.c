// Results of library functions that nobody keeps: dropped at once, passed on to a
// function that only looks, and in a struct of the library's that ends.
//
// run: => A=1/4 B=1/? C=?/? D=1/?
#define _GNU_SOURCE
#include <dirent.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

static int matches(const char *s)
{
	regex_t re;
	if (regcomp(&re, "^a.c$", REG_EXTENDED | REG_NOSUB)) // alloc: C
		return -1;
	return regexec(&re, s, 0, NULL, 0); // alloc: C; leak: C
}

static int readable(const char *dir)
{
	DIR *d = opendir(dir); // alloc: D
	return d != NULL; // leak: D
}

int main(void)
{
	size_t n = strlen(strdup("abc")); // alloc: A; leak: A
	realpath("/", NULL); // alloc: B; leak: B
	return matches("abc") + (int)n + readable("/") != 4;
}
