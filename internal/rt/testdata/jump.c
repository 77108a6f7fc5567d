// Frames that longjmp leaves: what they held is lost at its call.
// options: kinds=lost
// flags: -O0
// lost 1 100 alloc=26,38 loss=28,38
// lost 1 200 alloc=19,33,45 loss=20,33,45
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "sites.h"

static jmp_buf env;
static sigjmp_buf sigenv;
static char *volatile kept;

__attribute__((noinline)) static void inner(char **keep) {
	ENTER;
	*keep = CALL(malloc(50));
	char *volatile p = CALL(malloc(200));
	CALL(siglongjmp(sigenv, 1));
}

__attribute__((noinline)) static void direct(void) {
	ENTER;
	// Interior pointers count.
	char *volatile p = (char *)CALL(malloc(100)) + 10;
	kept = p;
	DROP(kept), kept = 0, CALL(longjmp(env, 1));
}

__attribute__((noinline)) static void outer(char **keep) {
	ENTER;
	CALL(inner(keep));
}

__attribute__((noinline)) static void first(void) {
	ENTER;
	if (setjmp(env) == 0) CALL(direct());
}

__attribute__((noinline)) static void second(void) {
	ENTER;
	char *volatile mine = 0;
	if (sigsetjmp(sigenv, 1) == 0)
		CALL(outer((char **)&mine));
	else
		free(mine);
}

__attribute__((noinline)) static void scrub(void) {
	char b[65536];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}

int main(void) {
	first();
	second();
	scrub();
	return 0;
}
