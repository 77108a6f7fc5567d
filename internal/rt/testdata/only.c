// Only allocations that were asked for are tracked; all others are libc's, and
// its blocks are roots.
// options: only=1
// lost 1 24 alloc=19 loss=22
// forgotten 1 40 alloc=23
#include <stdlib.h>
#include <string.h>

#include "sites.h"

static void **other;

int main(void) {
	ENTER;
	malloc(100);
	other = malloc(16);
	void **stale = malloc(64);
	plumb_track = 1;
	void *p = CALL(malloc(24));
	stale[3] = p; // its memory is cleared when it is released
	free(stale);
	DROP(p);
	other[1] = (plumb_track = 1, CALL(malloc(40)));
	if (plumb_track) abort();
	char *q = realloc(calloc(1, 10), 1000);
	plumb_track = 1;
	void *r = CALL(aligned_alloc(64, 64));
	r = CALL(realloc(r, 5000));
	free(r);
	free(strdup(q));
	free(q);
	p = 0;
	return 0;
}
