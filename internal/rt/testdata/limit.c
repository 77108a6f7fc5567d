// A limit on address space leaves no room for the heap: the program runs all the
// same, and is told.
// stderr: .*plumb: cannot reserve address space.*
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int main(int argc, char **argv) {
	if (argc < 2) {
		struct rlimit r = {256 << 20, 256 << 20};
		setrlimit(RLIMIT_AS, &r);
		execl("/proc/self/exe", argv[0], "again", (char *)0);
		return 1;
	}
	char *p = malloc(100);
	p = realloc(p, 100000);
	memset(p, 1, 100000);
	free(p);
	free(aligned_alloc(64, 100));
	malloc(10);
	return 0;
}
