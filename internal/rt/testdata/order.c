// The check comes after the program's handlers and destructors, and what they
// allocate and lose counts as well.
// lost 1 200
#include <stdlib.h>

static void *a, *b;

static void handler(void) { free(a); }
__attribute__((destructor)) static void last(void) {
	void *volatile p = malloc(200);
	free(b);
}

int main(void) {
	a = malloc(40);
	b = malloc(48);
	atexit(handler);
	return 0;
}
