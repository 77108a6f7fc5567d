// A loaded library's global holds the only pointer: dlclose unmaps it. The place
// of the allocation is in code that is not there any more at the end.
//
// run: => A=1/77
#include <dlfcn.h>
#include <stdlib.h>

int main(void)
{
	void *lib = dlopen("plugin.so", RTLD_NOW);
	if (!lib)
		return 1;
	void (*start)(void) = (void (*)(void))dlsym(lib, "start");
	start();
	dlclose(lib); // leak: A
	return 0;
}
