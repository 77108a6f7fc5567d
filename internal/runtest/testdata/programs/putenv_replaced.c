// putenv keeps the pointer it is given, in an array of libc's: the next putenv of
// the same name lets it go. setenv copies, so that what it is given can be freed.
//
// oracle: none, because valgrind lets libc free its environment before it looks
// run: => A=1/20 ~A=?/?
#include <stdio.h>
#include <stdlib.h>

static void set(int n)
{
	char *text = malloc(20); // alloc: A
	snprintf(text, 20, "PLUMB_TEST=%d", n);
	putenv(text); // leak: A
}

int main(void)
{
	char *value = malloc(9);
	set(1);
	set(2);
	value[0] = 'v';
	value[1] = 0;
	setenv("PLUMB_OTHER", value, 1);
	free(value);
	return 0;
}
