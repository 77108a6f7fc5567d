/* Random operations, held against an array that is searched from end to end. */
#include "plumb_guard.h"
#include <stdio.h>

PLUMB_GUARD_SITE(site);

enum { OBJECTS = 300, FRAMES = 5, STEPS = 60000 };

static char memory[OBJECTS * 16];
static int owner[OBJECTS]; /* frame that added it and its turn, 0 when none */
static int turn[FRAMES];
static struct plumb_guard_frame frames[FRAMES];

static unsigned long state;

static int random_below(int n)
{
	state = state * 1103515245UL + 12345UL;
	return (int)(state / 65536UL % 32768UL) % n;
}

static int id(int frame) { return turn[frame] * FRAMES + frame + 1; }

static void fail(const char *what, int step)
{
	printf("step %d: %s differs from the model\n", step, what);
	exit(1);
}

/* count holds the lists of the site against the model. */
static void count(int step)
{
	size_t live = 0, chained = 0, ordered = 0, i;
	unsigned long last = (unsigned long)-1;
	struct plumb_guard_entry *e;
	for (i = 0; i < OBJECTS; i++)
		live += owner[i] != 0;
	for (i = 0; i <= site->mask; i++)
		for (e = site->slots[i]; e != NULL; e = e->chain)
			chained++;
	for (e = site->newest; e != NULL; e = e->older) {
		ordered++;
		if (e->number >= last || (e->older != NULL && e->older->newer != e))
			fail("order", step);
		last = e->number;
	}
	if (live != chained || live != ordered || live != (size_t)site->size)
		fail("number of objects", step);
}

int main(int argc, char **argv)
{
	int step;
	state = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
	for (step = 0; step < STEPS; step++) {
		int o = random_below(step / 1000 % 2 ? OBJECTS : 20), f = random_below(FRAMES), k;
		char *p = memory + o * 16, *q;
		switch (random_below(20)) {
		case 0: case 1: case 2: case 3: case 4: case 5: case 6: case 7: case 8:
			if (plumb_guard_added(site, &frames[f], p) != p)
				fail("add", step);
			owner[o] = id(f);
			break;
		case 9: case 10: case 11:
			if (plumb_guard_remove(site, p) != p)
				fail("remove", step);
			owner[o] = 0;
			break;
		case 12: case 13: case 14: case 15:
			if (plumb_guard_claim(site, &frames[f], p) != (owner[o] == id(f)))
				fail("take", step);
			if (owner[o] == id(f))
				owner[o] = 0;
			break;
		case 16: case 17:
			q = (char *)plumb_guard_next(site, &frames[f]);
			if (q != NULL) {
				o = (int)(q - memory) / 16;
				if (owner[o] != id(f))
					fail("next", step);
				owner[o] = 0;
			} else {
				for (k = 0; k < OBJECTS; k++)
					if (owner[k] == id(f))
						fail("next, which is NULL,", step);
			}
			break;
		case 18: /* the call ends, with objects left; another has its frame at the same place */
			turn[f]++;
			frames[f].first = 0;
			break;
		default:
			if (plumb_guard_added(site, &frames[f], (char *)NULL) != NULL || plumb_guard_claim(site, &frames[f], NULL))
				fail("NULL", step);
			plumb_guard_forget(site, NULL);
		}
		if (step % 64 == 0)
			count(step);
	}
	for (step = 0; step < OBJECTS; step++)
		plumb_guard_forget(site, memory + step * 16);
	return site->size != 0;
}
