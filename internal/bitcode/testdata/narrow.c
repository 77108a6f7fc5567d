// clang: -target i386-linux-gnu -ffreestanding
// Pointers of 32 bits, and 64-bit integers that take two of them.
struct item { struct item *next; long long big; char *name; };
static struct item head = {0, 1LL << 40, "x"};
struct item *tail = &head;
long long sum(struct item *it, int n) {
	long long s = 0;
	for (; it && n--; it = it->next) s += it->big * n + (it->name[0] << 3);
	return s + (long)(it - &head);
}
__builtin_va_list keep;
int first(int n, ...) {
	__builtin_va_list ap;
	__builtin_va_start(ap, n);
	double d = __builtin_va_arg(ap, double);
	int r = __builtin_va_arg(ap, int);
	__builtin_va_end(ap);
	return r + (int)d;
}
