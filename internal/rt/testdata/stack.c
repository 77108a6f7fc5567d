// exit called deep in the program: what live frames hold is reachable, what
// dead frames held is not.
// lost 1 40
// forgotten 1 48
// forgotten 1 64
#include <stdlib.h>

static void *volatile sink;

__attribute__((noinline)) static void dead(void) {
	void *volatile p[64];
	for (int i = 0; i < 64; i++) p[i] = 0;
	p[5] = malloc(40);
}

__attribute__((noinline)) static void end(void) { exit(0); }

__attribute__((noinline)) static void live(void) {
	void *volatile on_stack = malloc(48);
	void *kept = malloc(64); // in a register that calls preserve
	end();
	sink = on_stack;
	sink = kept;
}

int main(void) {
	dead();
	live();
	return 0;
}
