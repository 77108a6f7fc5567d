// scandir's list is freed, but not what is in it.
//
// run: => A=1/?
#define _GNU_SOURCE
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static int dot(const struct dirent *e)
{
	return !strcmp(e->d_name, ".");
}

int main(void)
{
	struct dirent **list;
	int n = scandir("/", &list, dot, NULL); // alloc: A
	if (n < 0)
		return 1;
	free(list); // leak: A
	return 0;
}
