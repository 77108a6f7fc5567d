// Anonymous mappings are blocks, by option.
// options: kinds=lost:mmap=1
// lost 1 8192
// lost 1 65536
// indirect 1 40
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static char *volatile keep[10];

static char *map(size_t n) { return mmap(0, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }

__attribute__((noinline)) static int use(void) {
	char *p = map(8000); // lost: two pages
	memset(p, 1, 8000);
	p = map(1 << 16); // lost, with what it holds
	*(void **)p = malloc(40);
	p = map(100000); // unmapped as a whole
	memset(p, 1, 100000);
	if (munmap(p, 100000) != 0)
		return 1;
	p = map(1 << 20); // unmapped in parts
	memset(p, 1, 1 << 20);
	munmap(p, 1 << 18);
	munmap(p + (1 << 19), 1 << 19);
	p[1 << 18] = 2;
	munmap(p + (1 << 18), 1 << 18);
	p = map(1 << 16); // moved, kept
	p[5] = 7;
	p = mremap(p, 1 << 16, 1 << 21, MREMAP_MAYMOVE);
	if (p == MAP_FAILED || p[5] != 7 || p[1 << 20] != 0)
		return 2;
	keep[0] = p;
	p = map(1 << 16); // a page of it cannot be read
	mprotect(p, 4096, PROT_NONE);
	*(void **)(p + 4096) = malloc(70);
	keep[1] = p;
	p = aligned_alloc(4096, 1 << 16); // the same in a block of malloc
	memset(p, 0, 1 << 16);
	*(void **)(p + 8192) = malloc(80);
	mprotect(p, 4096, PROT_NONE);
	keep[2] = p;
	p = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // a reservation is none
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
