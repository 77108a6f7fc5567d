// Every size and alignment: blocks do not overlap, are aligned, keep what is
// written, are zero when calloc gives them, survive realloc in both directions.
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(e)                                                                                             \
	do {                                                                                                     \
		if (!(e)) {                                                                                          \
			fprintf(stderr, "line %d: %s, n = %zu\n", __LINE__, #e, n);                                      \
			_Exit(1);                                                                                        \
		}                                                                                                    \
	} while (0)

static unsigned char *block[4000];
static size_t size[4000];

static int all(unsigned char *p, size_t n, int c) {
	for (size_t i = 0; i < n; i++)
		if (p[i] != (unsigned char)c) return 0;
	return 1;
}

int main(void) {
	size_t n = 0;
	unsigned s = 1;
	for (int round = 0; round < 60000; round++) {
		s = s * 1664525 + 1013904223;
		unsigned k = (s >> 8) % 4000, how = s >> 24 & 7;
		n = (s >> 3) % (how == 7 && round % 16 == 0 ? 400000 : how == 6 ? 20000 : 300);
		if (block[k]) CHECK(all(block[k], size[k], k));
		if (how < 3) {
			free(block[k]);
			block[k] = calloc(n ? 1 : 0, n);
			CHECK(block[k] && all(block[k], n, 0));
		} else if (how < 5) {
			unsigned char *p = realloc(block[k], n + 1);
			n++;
			CHECK(p && all(p, n < size[k] ? n : size[k], k));
			block[k] = p;
		} else {
			size_t align = (size_t)16 << (s >> 20) % 9;
			free(block[k]);
			block[k] = aligned_alloc(align, n);
			CHECK(block[k] && (uintptr_t)block[k] % align == 0);
		}
		CHECK((uintptr_t)block[k] % 16 == 0);
		CHECK(malloc_usable_size(block[k]) >= n);
		size[k] = n;
		memset(block[k], k, n);
	}
	for (n = 0; n < 4000; n++) free(block[n]);

	void *p;
	n = 0;
	CHECK(posix_memalign(&p, 3, 8) == EINVAL);
	CHECK(posix_memalign(&p, 1 << 20, 100) == 0 && (uintptr_t)p % (1 << 20) == 0);
	free(p);
	p = valloc(10);
	CHECK((uintptr_t)p % 4096 == 0);
	free(p);
	p = pvalloc(4097);
	CHECK((uintptr_t)p % 4096 == 0 && malloc_usable_size(p) >= 8192);
	free(p);
	void *a = malloc(0), *b = malloc(0);
	CHECK(a && b && a != b);
	free(a);
	free(b);
	free(NULL);
	CHECK(realloc(malloc(10), 0) == NULL);

	// What cannot be is refused, as libc does.
	errno = 0;
	CHECK(malloc(PTRDIFF_MAX) == NULL && errno == ENOMEM);
	CHECK(malloc(SIZE_MAX) == NULL && calloc(SIZE_MAX / 2, 3) == NULL && reallocarray(NULL, SIZE_MAX / 2, 3) == NULL);
	CHECK(malloc((size_t)1 << 41) == NULL);
	p = malloc(100);
	CHECK(realloc(p, PTRDIFF_MAX) == NULL);
	free(p);

	// A block that grows in steps, and one that shrinks again.
	unsigned char *big = NULL;
	for (n = 1000; n < 30 << 20; n = n * 3 / 2) {
		big = realloc(big, n);
		CHECK(big && all(big, n / 3 * 2 < 1000 ? 0 : 1000, 7));
		memset(big, 7, n);
	}
	big = realloc(big, 100000);
	n = 100000;
	CHECK(all(big, n, 7));
	big = realloc(big, 50);
	CHECK(all(big, 50, 7));
	free(big);
	big = calloc(1, 8 << 20);
	CHECK(all(big, 8 << 20, 0));
	free(big);
	return 0;
}
