// Blocks that only handlers know which run after main: freed by atexit from a
// global, by on_exit from its argument, by a destructor function.
//
// run: =>
// run: exit =>
#define _GNU_SOURCE
#include <stdlib.h>

static char *global, *late;

static void free_global(void)
{
	free(global);
}

static void free_argument(int status, void *p)
{
	(void)status;
	free(p);
}

__attribute__((destructor)) static void last(void)
{
	free(late);
}

static void leave(int argc)
{
	char *held = malloc(8);
	held[0] = 1;
	on_exit(free_argument, held);
	if (argc > 1)
		exit(0);
}

int main(int argc, char **argv)
{
	(void)argv;
	global = malloc(16);
	late = malloc(24);
	atexit(free_global);
	on_exit(free_argument, malloc(32));
	leave(argc);
	return 0;
}
