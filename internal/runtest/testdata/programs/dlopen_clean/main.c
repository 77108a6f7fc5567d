// A library that is unloaded frees what it holds in its destructor; one that stays
// keeps it in a global and in thread-local storage that was allocated for it late.
//
// run: => ~A=1/51 ~B=1/52 ~D=?/?
#include <dlfcn.h>
#include <stdlib.h>

int main(void)
{
	for (int i = 0; i < 3; i++) {
		void *lib = dlopen("plugin.so", RTLD_NOW); // alloc: D
		if (!lib)
			return 1;
		((void (*)(int))dlsym(lib, "start"))(i);
		if (i < 2)
			dlclose(lib);
	}
	return 0;
}
