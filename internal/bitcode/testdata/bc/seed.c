// Small, but with most record kinds: the seed for mutated bitcode.
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item *next; char *name; void (*release)(void *); };
static struct item head = {0, "head", free};
static int numbers[] = {1, 2, 3};
_Thread_local int per_thread;
int sum(int n, ...) {
	va_list ap;
	int s = numbers[n % 3];
	va_start(ap, n);
	while (n-- > 0) s += va_arg(ap, int);
	va_end(ap);
	return s;
}
struct item *push(const char *name) {
	struct item *it = malloc(sizeof *it);
	if (!it) return 0;
	*it = (struct item){head.next, strdup(name), free};
	head.next = it;
	return it;
}
double mixed(int k, float f, unsigned long u) {
	static void *labels[] = {&&one, &&two};
	switch (k) {
	case 1: goto *labels[u % 2];
	case 2: return f * 2 + u;
	default: break;
	}
one:
	__asm__ volatile("" ::"r"(u));
two:
	return __sync_fetch_and_add(&numbers[0], 1) + per_thread;
}
int main(int argc, char **argv) {
	char local[32];
	memset(local, 0, sizeof local);
	for (int i = 0; i < argc; i++) {
		struct item *it = push(argv[i]);
		if (it && it->release) it->release(it->name);
	}
	return sum(2, 1, 2) + (int)mixed(argc, 1.5f, 3);
}
