// Leaks that depend on more than the place: heap or not, released or not, kept or not.
// run: 0 0
// run: 0 1
// run: 1 0
// run: 1 1
// run: 2 0
// run: 2 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *kept[8];
static int nkept;

static int odd(const char *s)
{
	return strlen(s) % 2;
}

static void keep(char *s)
{
	if (nkept < 8)
		kept[nkept++] = s;
	else
		free(s);
}

/* The paper's figure 7. */
static int heap_or_not(int n)
{
	char *p = "none";
	if (n > 0) {
		p = malloc(n + 8);
		if (!p)
			return -1;
		strcpy(p, "heap");
	}
	return odd(p) + 1;
}

/* Released on one path only; nothing that is seen tells which. */
static int released_or_not(int n, const char *s)
{
	char *p = strdup(s);
	int r;
	if (!p)
		return -1;
	r = odd(p);
	if (r == n)
		free(p);
	puts("released or not");
	return r;
}

/* Kept by someone else on one path only. */
static void kept_or_not(const char *s)
{
	char *p = strdup(s);
	if (!p)
		return;
	if (odd(p))
		keep(p);
	puts("kept or not");
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, i;
	const char *s = argc > 2 ? argv[2] : "";
	printf("%d\n", heap_or_not(n));
	printf("%d\n", released_or_not(n, s));
	kept_or_not(s);
	kept_or_not(argv[0]);
	for (i = 0; i < nkept; i++)
		free(kept[i]);
	return 0;
}
