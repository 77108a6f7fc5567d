#include <stdlib.h>

static char *state;
static _Thread_local char *mine;

void start(int n)
{
	state = malloc(51); // alloc: A
	mine = malloc(52); // alloc: B
	state[0] = mine[0] = (char)n; // forgotten: B
}

__attribute__((destructor)) static void stop(void)
{
	if (state && state[0] < 2) { // forgotten: A
		free(state);
		free(mine);
	}
}
