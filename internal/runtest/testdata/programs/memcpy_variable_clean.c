// Arrays of pointers that are copied, shifted, rotated and grown, element for
// element and as bytes; everything is found again and freed.
//
// run: =>
#include <stdlib.h>
#include <string.h>

static char **grow(char **a, int *cap)
{
	char **b = malloc(2 * *cap * sizeof *b);
	memcpy(b, a, *cap * sizeof *b);
	free(a);
	*cap *= 2;
	return b;
}

static void copy_bytes(void *to, const void *from, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((unsigned char *)to)[i] = ((const unsigned char *)from)[i];
}

int main(void)
{
	int cap = 2, n = 0;
	char **a = malloc(cap * sizeof *a);
	for (int i = 0; i < 9; i++) {
		if (n == cap)
			a = grow(a, &cap);
		a[n++] = malloc(i + 1);
	}
	free(a[3]);
	memmove(a + 3, a + 4, (n - 4) * sizeof *a);
	n--;
	char *spare = a[0];
	memmove(a, a + 1, (n - 1) * sizeof *a);
	a[n - 1] = spare;
	char **b = malloc(n * sizeof *b);
	copy_bytes(b, a, n * sizeof *b);
	memset(a, 0, cap * sizeof *a);
	free(a);
	for (int i = 0; i < n; i++)
		free(b[i]);
	free(b);
	return 0;
}
