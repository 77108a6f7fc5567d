// clang: -target aarch64-linux-gnu -march=armv8.5-a+sve -ffreestanding
// Vectors, also scalable ones, half precision, and wide atomics.
typedef __fp16 h4 __attribute__((vector_size(8)));
typedef int i4 __attribute__((vector_size(16)));
typedef double d2 __attribute__((vector_size(16)));
h4 halves(h4 a, h4 b) { return a * b + a; }
i4 mixed(i4 a, i4 b, int k) {
	i4 m = (a > b) & a;
	m[k & 3] = a[0] << 2;
	return __builtin_shufflevector(m, -b, 3, 6, 1, 4) & ~a;
}
d2 convert(i4 a) { return (d2){(double)a[0], (double)(unsigned)a[1]}; }
__SVBool_t keep(__SVBool_t p) { return p; }
__SVInt32_t scalable(__SVInt32_t a) { return a; }
_Bool swap(__int128 *p, __int128 *old, __int128 v) {
	return __atomic_compare_exchange_n(p, old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}
float minmax(float *p, float v) { return __atomic_fetch_add(p, v, __ATOMIC_RELAXED) ; }
int va(int n, ...) {
	__builtin_va_list ap;
	__builtin_va_start(ap, n);
	return __builtin_va_arg(ap, int);
}
