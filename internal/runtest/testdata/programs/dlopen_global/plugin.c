#include <stdlib.h>

static char *state;

void start(void)
{
	state = malloc(77); // alloc: A
	state[0] = 1;
}
