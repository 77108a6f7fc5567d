// A callback gets its context through a void pointer; the registry forgets it when
// the entry is replaced.
//
// run: => A=1/24
#include <stdlib.h>

typedef int (*callback)(void *);
struct entry { callback fn; void *context; };
static struct entry entries[2];

static int count(void *context)
{
	return ++*(int *)context;
}

static void on(int event, callback fn, void *context)
{
	struct entry e = { fn, context };
	entries[event] = e; // leak: A
}

static int fire(int event)
{
	return entries[event].fn ? entries[event].fn(entries[event].context) : 0;
}

int main(void)
{
	on(0, count, calloc(1, 24)); // alloc: A
	fire(0);
	on(0, count, calloc(2, 24));
	fire(0);
	free(entries[0].context);
	entries[0].context = NULL;
	return 0;
}
