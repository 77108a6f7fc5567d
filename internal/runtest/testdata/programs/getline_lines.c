// getline allocates because the variable was reset: each line but the last is lost
// at the reset, the last one where the function ends.
//
// run: => A=3/360 B=1/120
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

static int lines(FILE *f)
{
	char *line = NULL;
	size_t cap = 0;
	int n = 0;
	while (getline(&line, &cap, f) > 0) { // alloc: A
		n++;
		line = NULL; // leak: A
		cap = 0;
	}
	free(line);
	return n;
}

static int once(FILE *f)
{
	char *line = NULL;
	size_t cap = 0;
	if (getline(&line, &cap, f) < 0) // alloc: B
		return -1;
	return line[0]; // leak: B
}

int main(void)
{
	char text[] = "a\nbb\nccc\n";
	FILE *f = fmemopen(text, sizeof text - 1, "r");
	lines(f);
	rewind(f);
	once(f);
	fclose(f);
	return 0;
}
