// Clean. Only a string that is not empty is copied, so the first byte of the
// copy is not 0 and the copy is returned.
#include <stdlib.h>
#include <string.h>

static char *from_env(void)
{
	char *env = getenv("RC");

	if (env && *env)
		return strdup(env);
	return NULL;
}

char *file_name(void)
{
	char *file = from_env(); // alloc: o0

	if (file && *file)
		return file;
	file = strdup("/etc/rc"); // leak-false: o0
	return file;
}

int main(void)
{
	free(file_name());
	return 0;
}
// limit-false: the copy of a string that is not empty is not empty
