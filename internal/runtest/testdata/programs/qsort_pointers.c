// qsort moves the pointers about inside libc; then all but the last in order are
// freed, and the array.
//
// run: => A=1/10
#include <stdlib.h>

static int larger(const void *a, const void *b)
{
	return **(char *const *)a - **(char *const *)b;
}

int main(void)
{
	const char order[] = { 7, 3, 9, 1, 5, 8, 2, 6, 4, 0 };
	char **a = malloc(10 * sizeof *a);
	for (int i = 0; i < 10; i++) {
		a[i] = malloc(10); // alloc: A
		*a[i] = order[i];
	}
	qsort(a, 10, sizeof *a, larger);
	for (int i = 0; i < 9; i++)
		free(a[i]);
	free(a); // leak: A
	return 0;
}
