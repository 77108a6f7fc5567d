#include <stdlib.h>
#include "hold.h"

static char *global;
static _Thread_local char *local[3];

void hold(char *p) { global = p; }
void hold_here(char *p) { local[1] = p; }

void hold_free(char *p)
{
	char *before = global;
	global = p;
	free(global);
	global = before;
}
