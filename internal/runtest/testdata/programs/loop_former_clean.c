// The same loops, releasing; and one whose variable is carried from round to round.
//
// run: =>
#include <stdlib.h>

int main(void)
{
	char *last = NULL, *previous = NULL;
	for (int i = 0; i < 5; i++) {
		free(last);
		last = malloc(8);
	}
	free(last);
	for (int i = 0; i < 6; i++) {
		char *tmp = malloc(24);
		tmp[0] = (char)i;
		if (i % 2) {
			free(tmp);
			continue;
		}
		if (i == 4) {
			previous = tmp;
			break;
		}
		free(tmp);
	}
	do {
		char *next = previous[0] > 0 ? malloc(24) : NULL;
		if (next)
			next[0] = (char)(previous[0] - 1);
		free(previous);
		previous = next;
	} while (previous);
	return 0;
}
