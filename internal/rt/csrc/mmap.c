// Mappings. By option (mmap=1) an anonymous private mapping is a block like any
// other: it lies in the heap stretch, so that pointers into it are seen. And the
// marker must not read what the program has made unreadable inside of its blocks
// (guard pages of stacks that it allocated).
#define _GNU_SOURCE
#include "proc.h"
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

PLUMB_REAL_DECL(void *, mmap, void *, size_t, int, int, int, off_t);
PLUMB_REAL_DECL(int, munmap, void *, size_t);
PLUMB_REAL_DECL(void *, mremap, void *, size_t, size_t, int, void *);
PLUMB_REAL_DECL(int, mprotect, void *, size_t, int);

enum { MAX_MAPPINGS = 1 << 14, MAX_GUARDS = 1 << 12 };
struct mapping { uintptr_t lo, hi; size_t left; }; // left: bytes not unmapped yet
static struct mapping *mappings;
static uint32_t nmappings;
static struct plumb_range *guards; // unreadable pages in the heap
uint32_t plumb_nguards;
static struct plumb_lock lock;

void plumb_lock_maps(void) { plumb_lock(&lock); }
void plumb_unlock_maps(void) { plumb_unlock(&lock); }

static uintptr_t page_up(uintptr_t v) { return (v + 4095) & ~4095ul; }

// ---- unreadable pages

static void unguard(uintptr_t lo, uintptr_t hi) {
	for (uint32_t i = 0; i < plumb_nguards;) {
		struct plumb_range g = guards[i];
		if (g.hi <= lo || g.lo >= hi) {
			i++;
			continue;
		}
		guards[i] = guards[--plumb_nguards];
		if (g.lo < lo)
			guards[plumb_nguards++] = (struct plumb_range){g.lo, lo};
		if (g.hi > hi && plumb_nguards < MAX_GUARDS)
			guards[plumb_nguards++] = (struct plumb_range){hi, g.hi};
	}
}

static void protect(uintptr_t lo, uintptr_t hi, int readable) {
	plumb_lock(&lock);
	if (!guards)
		guards = plumb_own(MAX_GUARDS * sizeof *guards);
	if (guards) {
		unguard(lo, hi);
		if (!readable && plumb_nguards < MAX_GUARDS)
			guards[plumb_nguards++] = (struct plumb_range){lo, hi};
	}
	plumb_unlock(&lock);
}

// The end of what can be read from *lo on, which moves behind pages that cannot.
uintptr_t plumb_readable(uintptr_t *lo, uintptr_t hi) {
	for (uint32_t i = 0; i < plumb_nguards; i++)
		if (guards[i].lo <= *lo && *lo < guards[i].hi) {
			*lo = guards[i].hi;
			i = -1; // another one may follow directly
		}
	if (*lo > hi)
		*lo = hi;
	for (uint32_t i = 0; i < plumb_nguards; i++)
		if (guards[i].lo > *lo && guards[i].lo < hi)
			hi = guards[i].lo;
	return hi;
}

EXPORT int PLUMB_HOOK(mprotect)(void *p, size_t n, int prot) {
	int e = PLUMB_REAL(mprotect)(p, n, prot);
	if (e == 0 && plumb_in_heap((uintptr_t)p) && !plumb_fallback)
		protect((uintptr_t)p, page_up((uintptr_t)p + n), prot & PROT_READ);
	return e;
}

// ---- mappings as blocks

static struct mapping *mapping_at(uintptr_t p) {
	for (uint32_t i = 0; i < nmappings; i++)
		if (p >= mappings[i].lo && p < mappings[i].hi)
			return &mappings[i];
	return 0;
}

static void *map_block(size_t n, int prot, uint32_t node) {
	n = page_up(n);
	void *p = plumb_alloc(n, 4096, node, 0);
	if (!p)
		return MAP_FAILED;
	plumb_lock(&lock);
	if (!mappings)
		mappings = plumb_own(MAX_MAPPINGS * sizeof *mappings);
	int ok = mappings && nmappings < MAX_MAPPINGS;
	if (ok)
		mappings[nmappings++] = (struct mapping){(uintptr_t)p, (uintptr_t)p + n, n};
	plumb_unlock(&lock);
	if (!ok) {
		plumb_free(p, node);
		return MAP_FAILED;
	}
	if (prot != (PROT_READ | PROT_WRITE))
		PLUMB_HOOK(mprotect)(p, n, prot);
	return p;
}

static int wanted(size_t n, int prot, int flags, int fd) {
	const int odd = MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN | MAP_32BIT | MAP_HUGETLB | MAP_STACK | MAP_SHARED;
	return plumb_opt.mmap && !plumb_fallback && n && fd == -1 && (prot & PROT_WRITE) && !(prot & PROT_EXEC) &&
		(flags & (MAP_PRIVATE | MAP_ANONYMOUS | odd)) == (MAP_PRIVATE | MAP_ANONYMOUS);
}

#define NODE (here((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16))
static uint32_t here(uintptr_t ra, uintptr_t sp) {
	uint32_t flags;
	return plumb_origin(ra, sp, &flags);
}

EXPORT void *PLUMB_HOOK(mmap)(void *at, size_t n, int prot, int flags, int fd, off_t offset) {
	if (wanted(n, prot, flags, fd)) {
		void *p = map_block(n, prot, NODE);
		if (p != MAP_FAILED)
			return p;
	}
	return PLUMB_REAL(mmap)(at, n, prot, flags, fd, offset);
}
EXPORT void *PLUMB_HOOK(mmap64)(void *at, size_t n, int prot, int flags, int fd, off_t offset) {
	if (wanted(n, prot, flags, fd)) {
		void *p = map_block(n, prot, NODE);
		if (p != MAP_FAILED)
			return p;
	}
	return PLUMB_REAL(mmap)(at, n, prot, flags, fd, offset);
}

// A part goes: its pages are given back and cannot be read. With the last part
// the block is released.
static int unmap(uintptr_t lo, uintptr_t hi, uint32_t node) {
	plumb_lock(&lock);
	struct mapping *m = mapping_at(lo);
	if (!m) {
		plumb_unlock(&lock);
		return 0;
	}
	if (hi > m->hi)
		hi = m->hi;
	m->left -= hi - lo;
	struct mapping gone = *m;
	if (!m->left)
		*m = mappings[--nmappings];
	plumb_unlock(&lock);
	if (gone.left) {
		plumb_drop_words((void *)lo, hi - lo, AT_NODE, node);
		madvise((void *)lo, hi - lo, MADV_DONTNEED);
		PLUMB_HOOK(mprotect)((void *)lo, hi - lo, PROT_NONE);
	} else {
		PLUMB_HOOK(mprotect)((void *)gone.lo, gone.hi - gone.lo, PROT_READ | PROT_WRITE);
		plumb_free((void *)gone.lo, node);
	}
	return 1;
}

EXPORT int PLUMB_HOOK(munmap)(void *p, size_t n) {
	if (plumb_in_heap((uintptr_t)p) && nmappings && n && !((uintptr_t)p & 4095)) {
		if (unmap((uintptr_t)p, page_up((uintptr_t)p + n), NODE))
			return 0;
	}
	return PLUMB_REAL(munmap)(p, n);
}

EXPORT void *PLUMB_HOOK(mremap)(void *p, size_t old, size_t n, int flags, ...) {
	va_list a;
	va_start(a, flags);
	void *to = flags & MREMAP_FIXED ? va_arg(a, void *) : 0;
	va_end(a);
	if (!plumb_in_heap((uintptr_t)p) || !nmappings || !mapping_at((uintptr_t)p))
		return PLUMB_REAL(mremap)(p, old, n, flags, to);
	uint32_t node = NODE;
	uintptr_t lo = (uintptr_t)p, had = page_up(old), want = page_up(n);
	if (want < had)
		unmap(lo + want, lo + had, node);
	if (want <= had && !(flags & MREMAP_FIXED))
		return p;
	if (!(flags & MREMAP_MAYMOVE)) {
		errno = ENOMEM;
		return MAP_FAILED;
	}
	void *q = to ? PLUMB_REAL(mmap)(to, want, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
	             : map_block(want, PROT_READ | PROT_WRITE, node);
	if (q == MAP_FAILED)
		return q;
	memcpy(q, p, had < want ? had : want);
	unmap(lo, lo + had, node);
	return q;
}
