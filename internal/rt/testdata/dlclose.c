// A module's variable held the last pointer: lost at dlclose, unless the module stays.
// options: kinds=lost
// flags: -ldl
// libraries: holder.so
// lost 1 64 alloc=17 loss=23
#include <dlfcn.h>
#include <stdlib.h>

#include "sites.h"

int main(void) {
	ENTER;
	void *h = dlopen("holder.so", RTLD_NOW);
	void (*hold)(void *) = (void (*)(void *))dlsym(h, "hold");
	if (!hold) return 1;

	void *p = CALL(malloc(64));
	hold(p);
	DROP(p), p = 0;
	if (dlopen("holder.so", RTLD_NOW) != h) return 2;
	CALL(dlclose(h)); // still open
	__asm__ volatile("" ::: "rbx", "r12", "r13", "r14", "r15");
	CALL(dlclose(h));
	if (dlopen("holder.so", RTLD_NOW | RTLD_NOLOAD)) return 3;
	return 0;
}
