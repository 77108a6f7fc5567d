// Functions whose results an interpreter of the ir must agree with: joins,
// loops, switches, irreducible jumps, address-taken locals, structs, arrays,
// tables of functions, recursion. No undefined behaviour for small arguments.

struct pair { char tag; int a; long b; };
struct node { struct node *next; int v; struct pair p[3]; };
struct ops { const char *name; int (*apply)(int, int); };

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static struct ops table[] = {{"add", add}, {"sub", sub}};
static struct node first = {0, 7, {{'x', 1, 2}, {'y', 3, 4}, {'z', 5, 6}}};
static struct node second = {&first, 9, {{'u', 10, 20}}};
static int *inside = &first.p[1].a;
static const short squares[] = {0, 1, 4, 9, 16, 25};

int test0(int a, int b) {
	int r = 0;
	if (a > b) r = a;
	else if (a == b) r = -1;
	else r = b;
	return r;
}

int test1(int a, int b) {
	int s = 0, i, j;
	for (i = 0; i < a; i++)
		for (j = i; j < b; j++) {
			if (j == 3) continue;
			if (s > 1000) break;
			s += i * j;
		}
	return s + i;
}

int test2(int a, int b) {
	int r = 1;
	switch (a) {
	case 0: r = 5; /* falls through */
	case 1: r += b; break;
	case 2:
	case 3: return b * 2;
	case 10: r = 0; goto out;
	default: r = a;
	}
	r++;
out:
	return r;
}

int test3(int a, int b) { /* irreducible: two ways into the loop */
	int n = 0, limit = 50;
	if (a > 2) goto middle;
top:
	n += 1;
	if (--limit < 0) return n;
middle:
	n += 2;
	if (n < b) goto top;
	return n * 10 + (a > 2);
}

int test4(int a, int b) { /* swaps in a loop: phis that read each other */
	int x = a, y = b, i;
	for (i = 0; i < 5; i++) {
		int t = x;
		x = y;
		y = t + i;
	}
	return x * 3 - y;
}

static void set(int *p, int v) { *p = v; }
int test5(int a, int b) { /* address taken on one path */
	int x = 1, y = 2;
	if (a > 0) set(&x, b);
	y += x;
	return x * 100 + y;
}

int test6(int a, int b) {
	struct pair p = {1, a, b}, q;
	q = p;
	q.b += p.a;
	struct node n = {0};
	n.p[1] = q;
	n.next = &n;
	return (int)n.next->p[1].b + n.p[1].tag + (int)sizeof n;
}

int test7(int a, int b) {
	int arr[6] = {1, 2, 3}, i;
	for (i = 3; i < 6; i++) arr[i] = arr[i - 1] + a;
	int k = (b < 0 ? -b : b) % 6;
	return arr[k] + squares[k];
}

int test8(int a, int b) { return table[b & 1].apply(a, b) + table[0].name[1]; }

int test9(int a, int b) {
	struct node *n;
	int s = *inside + (int)first.p[2].b;
	for (n = &second; n; n = n->next) s += n->v * a + n->p[1].a;
	return s - b;
}

int test10(int a, int b) { /* short circuit and conditional values */
	int c = a > 0 && b > 0 || a == -7;
	unsigned char u = (unsigned char)(a * 37);
	short s = (short)(b * 1000);
	return (c ? a : b) + (u >> 3) + (s >> 2) + (a && !b);
}

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int test11(int a, int b) { return fib(a > 12 ? 12 : a) - b; }

int test12(int a, int b) { /* a variable that is set on some paths only, used on those */
	int r, have = 0;
	if (a > 1) { r = b + 1; have = 1; }
	while (b-- > 5)
		if (b == 50) { r = 99; have = 1; }
	return have ? r : -3;
}

int test13(int a, int b) {
	unsigned long h = 1469598103934665603UL;
	int i;
	for (i = 0; i < 4; i++) {
		h ^= (unsigned)(a >> (i * 8)) & 255;
		h *= 1099511628211UL;
		h = (h << 7) | (h >> 57);
	}
	return (int)(h % 1000003) + (int)((long)b * b / 7) + (b == 0 ? 0 : a % b);
}

int test14(int a, int b) {
	union { int i; unsigned char c[4]; } u;
	u.i = a * 65537;
	do { u.c[1] ^= (unsigned char)b; } while (b-- > 3);
	return u.i;
}

int test15(int a, int b) {
	int n = (a < 0 ? -a : a) % 9 + 1;
	int vla[n];
	for (int i = 0; i < n; i++) vla[i] = i * b;
	int *p = vla, *end = vla + n, s = 0;
	while (p != end) s += *p++;
	return s + (int)(end - vla);
}
