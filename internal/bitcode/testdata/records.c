// Every kind of record that C code can make clang write at -O0.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct big { long a[5]; char *name; struct point p; };
union number { int i; double d; char *s; };
struct bits { unsigned a : 3, b : 5; unsigned long c : 40; };
typedef struct { char *key; void (*release)(void *); } entry;

static int counter = 3;
int tentative;
__thread int per_thread = 1;
extern int elsewhere __attribute__((weak));
const char *names[] = {"one", "two", NULL};
static entry table[] = {{"free", free}, {"none", 0}};
static short numbers[] = {1, -2, 3};
static double reals[] = {1.5, 2.5};
static long double wide = 1.25L;
static __int128 huge_number = ((__int128)1 << 100) + 7;
static char *interior = (char *)&table[1].release;
static long distance;
typedef int v4 __attribute__((vector_size(16)));

static int helper(int n) { return n + counter; }
int helper_alias(int n) __attribute__((alias("helper")));

int sum(int n, ...) {
	va_list ap, copy;
	va_start(ap, n);
	va_copy(copy, ap);
	int s = 0;
	for (int i = 0; i < n; i++) s += va_arg(ap, int);
	double d = va_arg(copy, double);
	va_end(copy);
	va_end(ap);
	return s + (int)d;
}

struct big make(int n) {
	struct big b = {{1, 2, 3}, "x", {4, 5}};
	b.p.x = n;
	return b;
}

struct point small(struct point p, struct big b) {
	p.x += b.p.y;
	return p;
}

int classify(int c, const char *s) {
	switch (c) {
	case 1: return 10;
	case 2:
	case 3: return strlen(s);
	case 100 ... 200: return 7;
	default: break;
	}
	return c > 5 && s ? helper(c) : -c;
}

int computed(int i) {
	static void *labels[] = {&&a, &&b, &&c};
	goto *labels[i];
a:
	return 1;
b:
	return 2;
c:
	return 3;
}

float floats(float f, double d, long double l, int i, unsigned u) {
	f = f * 2 - i / 3.0f;
	d = -d + u;
	l = l / d;
	unsigned char c = (unsigned char)f;
	short s = (short)d;
	_Bool b = l > 3;
	return f + c + s + b + (float)l + (i % 3) + (u / 5) + (u % 7) + (i >> 2) + (u >> 1) + (i << 3) + (i & 4) + (i | 8) + (i ^ u);
}

int atomics(_Atomic int *p, int *q) {
	int old = 3;
	atomic_fetch_add(p, 1);
	atomic_compare_exchange_strong(p, &old, 5);
	atomic_exchange(p, 8);
	atomic_thread_fence(memory_order_seq_cst);
	__sync_fetch_and_or(q, 2);
	return atomic_load(p) + __sync_val_compare_and_swap(q, 1, 2);
}

int vla(int n) {
	int a[n];
	memset(a, 0, sizeof a);
	int b[4] = {1, 2, 3, 4};
	memcpy(a, b, n < 4 ? n * sizeof *a : sizeof b);
	memmove(a + 1, a, sizeof *a);
	return a[n - 1];
}

v4 vectors(v4 a, v4 b, int i) {
	v4 c = a + b;
	c[i] = 3;
	v4 m = a < b;
	return __builtin_shufflevector(c, m, 0, 5, 2, 7);
}

int assembly(int x) {
	int y;
	__asm__ volatile("movl %1, %0" : "=r"(y) : "r"(x) : "memory");
	return y;
}

int jumps(int x) {
	__asm__ goto("" : : "r"(x) : : out);
	return 1;
out:
	return 2;
}

static jmp_buf env;
int setjumps(void) {
	volatile int n = 0;
	if (setjmp(env)) return n;
	n = 1;
	longjmp(env, 1);
}

int bitfields(struct bits *b, union number *u) {
	b->a = 2;
	b->c = u->i;
	u->s = "s";
	return b->b + (u->d > 1.0);
}

__int128 int128(__int128 a, unsigned long b) { return a * b + huge_number; }

void pointers(entry *e, char **out, unsigned long n) {
	*out = (char *)e + n;
	e[n].release(e->key);
	distance = (char *)e - *out;
	if ((unsigned long)e == n) *out = (char *)(n + 1);
	if (&elsewhere) *out = interior;
	printf("%d %s\n", per_thread, names[n]);
}

int overflow(int a, int b, int *r) { return __builtin_add_overflow(a, b, r); }

inline int only_here(int x) { return x * 2; }
int use_inline(int x) { return only_here(x) + __builtin_expect(x, 0) + __builtin_popcount(x); }

int main(int argc, char **argv) {
	struct big b = make(argc);
	struct point p = small(b.p, b);
	printf("%d %d\n", p.x, sum(2, 3, 4));
	for (;;) {
		if (argc-- < 0) break;
		if (argc == 7) continue;
		do b.a[argc % 5]++; while (b.a[0] < 3);
	}
	return helper_alias(classify(argc, argv[0])) + tentative + (int)reals[0] + (int)wide + numbers[0];
}
