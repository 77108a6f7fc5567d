// The block goes into an instrumented shared library, which loses it; another comes
// out of it and is lost here.
//
// run: => A=1/12 B=1/34
#include <stdlib.h>
#include "store.h"

int main(void)
{
	store_set(malloc(12)); // alloc: A
	store_set(NULL);
	char *own = store_make(34);
	own[0] = 1;
	own = NULL; // leak: B
	return own != NULL;
}
