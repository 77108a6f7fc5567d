// Functions that never return, and do not say so.
#include <stdio.h>
#include <stdlib.h>

static void die(const char *why) {
	fprintf(stderr, "%s\n", why);
	exit(1);
}

static void give_up(int n) {
	if (n > 10)
		die("far too many");
	die("too many");
}

_Noreturn static void declared(void) { exit(2); }

int inferred(int n) {
	char *p = malloc(8); // alloc: p
	if (n > 3) {
		give_up(n);
		return 1; // leak@declared: p
	}
	free(p);
	return 0;
}

// With the word in the declaration it is known under either setting.
int said(int n) {
	char *q = malloc(8);
	if (n > 4)
		declared();
	free(q);
	return 0;
}

int main(int argc, char **argv) {
	(void)argv;
	return inferred(argc) + said(argc);
}
