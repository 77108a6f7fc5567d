// Each round overwrites the variable, the field and the outer variable of the round
// before; break and continue leave a block's own variable behind.
//
// run: => A=4/32 B=4/64 C=3/72 D=1/32 E=5/200
// known@O0: E without lifetime markers the block ends at the loop's own line
#include <stdlib.h>

struct state { char *line; };

int main(void)
{
	char *last = NULL;
	struct state s = { NULL };
	for (int i = 0; i < 5; i++) {
		last = malloc(8); // alloc: A; leak: A
		s.line = malloc(16); // alloc: B; leak: B
		last[0] = s.line[0] = 1;
	}
	free(last);
	free(s.line);
	for (int i = 0; i < 6; i++) {
		char *tmp = malloc(24); // alloc: C
		tmp[0] = (char)i;
		if (tmp[0] % 2)
			continue; // leak: C
		free(tmp);
	}
	for (int i = 0; i < 6; i++) {
		char *found = malloc(32); // alloc: D
		found[0] = (char)i;
		if (i == 3)
			break; // leak: D
		free(found);
	}
	int k = 0;
	while (k < 5) {
		char *each = malloc(40); // alloc: E
		each[0] = 1;
		k += each[0];
	} // leak: E
	return 0;
}
