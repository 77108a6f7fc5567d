// Pools in valgrind's encoding, as the pass hands the requests over.
// options: kinds=lost
// exit: 0
// lost 1 20
// lost 1 24
// lost 2 80
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned long plumb_valgrind(unsigned long, const unsigned long *) __attribute__((weak));
#define ASK(...) (plumb_valgrind ? plumb_valgrind(0, (unsigned long[6]){__VA_ARGS__}) : 0)
#define A(p) ((unsigned long)(p))
enum { RUNNING = 0x1001, MALLOCLIKE = 0x1301, FREELIKE, CREATE, DESTROY, ALLOC, FREE, TRIM, MOVE, CHANGE, EXISTS, RESIZE, CHECK = 0x4d430006, COUNT };

static char *volatile keep[100];

__attribute__((noinline)) static int use(void) {
	char *memory = malloc(10000);
	keep[0] = memory; // a pointer to the pool is none to its first block
	int one, two, three;
	if (!ASK(RUNNING) || ASK(EXISTS, A(&one)))
		return 1;
	ASK(CREATE, A(&one));
	ASK(CREATE, A(&two));
	if (!ASK(EXISTS, A(&one)))
		return 2;
	for (int i = 0; i < 10; i++)
		ASK(ALLOC, A(&one), A(memory + 100 + i * 64), 40);
	keep[1] = memory + 100; // 0 is kept; 1 and 2 are released; 3 and 4 are lost; the rest are trimmed
	ASK(FREE, A(&one), A(memory + 164));
	ASK(FREE, A(&one), A(memory + 228));
	ASK(TRIM, A(&one), A(memory), 100 + 5 * 64);
	ASK(ALLOC, A(&two), A(memory + 2000), 500);
	ASK(MOVE, A(&two), A(&three));
	ASK(DESTROY, A(&three));
	if (ASK(EXISTS, A(&two)) || ASK(EXISTS, A(&three)))
		return 3;
	ASK(ALLOC, A(&one), A(memory + 3000), 10);
	ASK(CHANGE, A(&one), A(memory + 3000), A(memory + 3100), 20); // lost
	// A wrapper with a header in front: what is released is gone with its block.
	for (int i = 0; i < 100; i++) {
		char *p = malloc(16 + i);
		ASK(MALLOCLIKE, A(p + 16), i);
		if (i % 2)
			ASK(FREELIKE, A(p + 16));
		free(p);
	}
	char *p = malloc(24); // the whole of a block: it is that block
	ASK(MALLOCLIKE, A(p), 24);
	p = malloc(300);
	ASK(MALLOCLIKE, A(p + 8), 100);
	ASK(RESIZE, A(p + 8), 100, 200);
	keep[2] = p + 8 + 150;
	return 0;
}

__attribute__((noinline)) static void scrub(void) {
	char b[4096];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}

int main(void) {
	int e = use();
	scrub();
	return e;
}
