// Low bits of a pointer carry a tag: the tagged word is the only one that is kept.
// Overwriting it loses the block; clearing its tag does not.
//
// run: => A=1/32
#include <stdint.h>
#include <stdlib.h>

#define TAG(p, t) ((void *)((uintptr_t)(p) | (t)))
#define BARE(p) ((void *)((uintptr_t)(p) & ~(uintptr_t)7))

static void *slots[2];

static void set(int i, void *p, int tag)
{
	slots[i] = TAG(p, tag); // leak: A
}

int main(void)
{
	set(0, malloc(32), 5); // alloc: A
	set(1, malloc(48), 3);
	slots[0] = TAG(BARE(slots[0]), 1);
	*(char *)BARE(slots[0]) = 1;
	set(0, NULL, 0);
	free(BARE(slots[1]));
	slots[1] = NULL;
	return 0;
}
