#define _GNU_SOURCE
#include <errno.h>
#include <string.h>

#include "alloc.h"
#include "libc.h"

// Weak: a static program has no second allocator beside ours.
extern void *__libc_malloc(size_t) __attribute__((weak));
extern void *__libc_calloc(size_t, size_t) __attribute__((weak));
extern void *__libc_realloc(void *, size_t) __attribute__((weak));
extern void *__libc_memalign(size_t, size_t) __attribute__((weak));
extern void __libc_free(void *) __attribute__((weak));

int plumb_tracked(void) {
	int yes = plumb_track && !plumb_fallback;
	if (plumb_track == PLUMB_TRACK_NEXT) plumb_track = 0;
	return yes;
}

static void *none(void) {
	errno = ENOMEM;
	return 0;
}

void *plumb_libc_alloc(size_t size, size_t align) {
	if (!__libc_malloc) return none();
	return align <= 16 ? __libc_malloc(size) : __libc_memalign(align, size);
}

void *plumb_libc_zeroed(size_t size) { return __libc_calloc ? __libc_calloc(size, 1) : none(); }

size_t plumb_libc_size(void *p) {
	static size_t (*next)(void *);
	if (!next) next = plumb_next("malloc_usable_size");
	return next ? next(p) : 0;
}

// libc's blocks are roots when only some are tracked: a stale pointer in a
// released one would hide a loss. And the release is where it goes away, unless
// the words have moved (event 0).
static void release(void *p, uint64_t event) {
	uintptr_t *w = p, *end = w + (plumb_fallback ? 0 : plumb_libc_size(p) / sizeof *w);
	for (; w < end; w++) {
		if (likely(!plumb_in_heap(*w))) continue;
		if (event) plumb_scan_free((uintptr_t)w, sizeof *w, event);
		*w = 0;
	}
	__libc_free(p);
}

void *plumb_libc_realloc(void *p, size_t size) {
	if (!__libc_realloc) return none();
	if (plumb_fallback || size == 0) return __libc_realloc(p, size);
	size_t had = plumb_libc_size(p);
	if (size <= had && size >= had / 2) return __libc_realloc(p, size);
	void *q = __libc_malloc(size);
	if (!q) return 0;
	memcpy(q, p, had < size ? had : size);
	size_t kept = (size + 7) & ~7ul;
	if (kept < had) plumb_scan_free((uintptr_t)p + kept, had - kept, plumb_event(AT_NODE, plumb_ctx));
	release(p, 0);
	return q;
}

void plumb_libc_free(void *p) {
	if (!plumb_mixed || !__libc_free) plumb_bad_free(p);
	release(p, plumb_event(AT_NODE, plumb_ctx));
}
