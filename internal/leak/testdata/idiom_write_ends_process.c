// Clean. A write to a page that may only be read ends the process, as a command
// for tests wants it to.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

void command(const char *name)
{
	if (strcmp(name, "segfault") == 0) {
		char *p = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // alloc: o0
		*p = 'x';
	} else {
		puts("unknown");
	}
} // leak-false: o0

int main(int argc, char **argv)
{
	command(argc > 1 ? argv[1] : "");
	return 0;
}
// limit-false: a write to memory that was mapped for reading alone ends the process
