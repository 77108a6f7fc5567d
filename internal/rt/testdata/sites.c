// Contexts and events of instrumented code.
// lost 2 16 alloc=21,40 loss=23,40
// lost 1 40 alloc=28,41 loss=46
// lost 1 56 alloc=33,32,49 loss=50
// lost 1 72 alloc=53 loss=55
// indirect 1 80 alloc=54
// lost 1 88 alloc=57 loss=59
// lost 1 96 alloc=63 loss=66
// forgotten 1 24 alloc=62 use=64
// lost 1 104 alloc=pc,67
#include <stdlib.h>
#include <string.h>

#include "sites.h"

static void *global;
static void **table, *last;

__attribute__((noinline)) static void one(void) {
	ENTER;
	void *p = CALL(malloc(8));

	DROP(p);
}

__attribute__((noinline)) static void *two(void) {
	ENTER;
	return CALL(malloc(40));
}
__attribute__((noinline)) static void *recursive(int n) {
	ENTER;
	return n ? CALL(recursive(n - 1)) :
		CALL(malloc(56));
}

__attribute__((noinline)) static void run(void) {
	ENTER;
	// Two blocks with the same stack, and one whose stack differs.
	for (int i = 0; i < 2; i++)
		CALL(one());
	global = CALL(two());

	// A harmless event, then the one that counts.
	DROP(global);

	DROP(global);
	global = 0;
	// A call site occurs once in a chain.
	global = CALL(recursive(3));
	DROP(global);
	global = 0;
	// Released memory held the last pointers; what it owned is the lost block's.
	table = CALL(calloc(1, 72));
	table[3] = CALL(malloc(80));
	DROP(table);
	table = 0;
	table = CALL(malloc(88));
	void ***holder = CALL(malloc(16)); holder[1] = table; table = 0;
	CALL(free(holder));
	// Last uses: of a block that is still reachable. A memory area that is
	// overwritten as a whole.
	last = CALL(malloc(24));
	void *words[3] = {0, CALL(malloc(96)), (void *)8};
	USE(last);
	__asm__ volatile("" : : "r"(words) : "memory");
	plumb_drop_words(words, sizeof words, base_ + __LINE__, ctx_);
	CALL(strdup("0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012"));
}

int main(void) {
	run();
	return 0;
}
