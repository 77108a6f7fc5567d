// Early returns forget the buffer: in braces, without, and on one line.
// run: a
// run: bx
// run: c
// run: d:
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(const char *text)
{
	char *copy = malloc(strlen(text) + 1);

	if (copy == NULL)
		return -1;
	strcpy(copy, text);
	if (copy[0] == 'a') {
		fprintf(stderr, "a\n");
		return -2;
	}
	if (copy[0] == 'b')
		return -3;
	if (copy[0] == 'c') return -4;
	int n = (int)strlen(copy);
	free(copy);
	return n;
}

int main(int argc, char **argv)
{
	printf("%d\n", parse(argc > 1 ? argv[1] : "x"));
	return 0;
}
