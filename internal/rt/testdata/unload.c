// A library that is gone at the end keeps its sites, and its addresses their module.
// libraries: plugin.so
// flags: -ldl
// lost 3 24 alloc=8 loss=10
// lost 3 96 alloc=pc
#include <dlfcn.h>
#include <stdlib.h>

int main(void) {
	for (int i = 0; i < 3; i++) {
		void *h = dlopen("plugin.so", RTLD_NOW);
		if (!h) abort();
		void (*f)(void) = (void (*)(void))dlsym(h, "lose");
		f();
		f = 0;
		dlclose(h);
		malloc(32);
	}
	return 0;
}
