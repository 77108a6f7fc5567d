// The usual loop: one buffer for all lines, freed after the last, also after getdelim.
//
// run: =>
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void)
{
	char text[4000], *line = NULL;
	size_t cap = 0;
	int n = 0;
	memset(text, 'x', sizeof text);
	for (int i = 3; i < 4000; i += i)
		text[i] = '\n';
	FILE *f = fmemopen(text, sizeof text, "r");
	while (getline(&line, &cap, f) > 0)
		n++;
	rewind(f);
	while (getdelim(&line, &cap, 'x', f) > 0)
		n++;
	free(line);
	fclose(f);
	return n < 10;
}
