// Blocks of an arena, told by macros: they are lost one by one, the arena is not.
// options: kinds=lost
// lost 1 100
// lost 3 120
// lost 1 30
// lost 1 40
// indirect 1 50
#include <plumb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct arena {
	struct arena *next; // the arena's own pointers count, like the program's
	char *at, *end;
};
static struct arena *arenas;
static char *volatile keep[100];
static char fixed[4096];

static char *take(struct arena *a, int n) {
	char *p = a->at;
	a->at += (n + 15) & ~15;
	memset(p, 0, n);
	PLUMB_ALLOC(p, n);
	return p;
}
static struct arena *begin(char *memory, int n) {
	struct arena *a = (struct arena *)memory;
	a->at = (char *)(a + 1);
	a->end = memory + n;
	a->next = arenas;
	return arenas = a;
}

__attribute__((noinline)) static void use(void) {
	struct arena *heap = begin(malloc(5000), 5000);
	for (int i = 0; i < 6; i++) // every second one is lost
		keep[i] = take(heap, 40);
	keep[0] = keep[2] = keep[4] = 0;
	struct arena *mapped = begin(mmap(0, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 65536);
	*(char **)take(mapped, 100) = take(mapped, 50); // lost, and a second one with it
	char *p = take(mapped, 200);
	*(void **)p = malloc(60); // reachable through a reachable one
	keep[10] = p;
	struct arena *still = begin(fixed, sizeof fixed);
	take(still, 30);
	p = take(still, 300); // released: what it held is stale
	*(char **)p = keep[1];
	keep[1] = 0;
	PLUMB_FREE(p);
	p = take(heap, 500);
	PLUMB_RESIZE(p, 600);
	keep[11] = p + 590;
	PLUMB_IGNORE(take(heap, 700));
}

__attribute__((noinline)) static void scrub(void) {
	char b[4096];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}

int main(void) {
	use();
	scrub();
	return 0;
}
