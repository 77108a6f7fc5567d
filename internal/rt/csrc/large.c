// Large blocks: runs of 64 KiB units of addresses. Each unit of a block names
// it in a map, so that interior pointers find it. Only touched pages cost
// memory, and those of a released block go back to the system.
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>

#include "alloc.h"
#include "subblocks.h"
#include "table.h"

#define BIG (512 << 10) // pages of these go back to the system when they are released
#define UNIT ((uintptr_t)1 << UNIT_SHIFT)
#define NUNITS ((uint32_t)((HEAP_END - LARGE_BASE) >> UNIT_SHIFT))

enum { UNUSED, LIVE, FREE };

struct plumb_large *const plumb_larges = (struct plumb_large *)LARGES_BASE;
uint32_t plumb_nlarges;
static uint32_t *const unit_owner = (uint32_t *)UNITS_BASE;
static struct plumb_table larges_table = {LARGES_BASE, 0}, units_table = {UNITS_BASE, 0};

static struct plumb_lock lock;
static uint32_t frontier = 1; // unit 0 stays free: no block ends where another class begins
static uintptr_t committed = LARGE_BASE;
static uint32_t bins[32];  // free runs by the logarithm of their length
static uint32_t spare;     // unused descriptors, through next

void plumb_lock_large(void) { plumb_lock(&lock); }
void plumb_unlock_large(void) { plumb_unlock(&lock); }
// Both tables have a first entry at once: a number may look like a pointer to a
// large block before there is one.
void plumb_large_init(void) {
	plumb_table_need(&larges_table, sizeof *plumb_larges);
	plumb_table_need(&units_table, sizeof *unit_owner);
}

static uintptr_t address(const struct plumb_large *l) { return LARGE_BASE + ((uintptr_t)l->unit << UNIT_SHIFT); }
static uint32_t bin_of(uint32_t units) { return 31 - __builtin_clz(units); }

static uint32_t descriptor(void) {
	if (spare) {
		uint32_t d = spare;
		spare = plumb_larges[d].next;
		return d;
	}
	if (plumb_table_need(&larges_table, (plumb_nlarges + 2) * sizeof *plumb_larges) != 0) return 0;
	return ++plumb_nlarges;
}

static void retire(uint32_t d) {
	memset(&plumb_larges[d], 0, sizeof plumb_larges[d]);
	plumb_larges[d].next = spare;
	spare = d;
}

static void unlist(uint32_t d) {
	struct plumb_large *l = &plumb_larges[d];
	if (l->prev) plumb_larges[l->prev].next = l->next;
	else bins[bin_of(l->units)] = l->next;
	if (l->next) plumb_larges[l->next].prev = l->prev;
	l->next = l->prev = 0;
}

// Makes d a listed free run, joined with free neighbours.
static void list(uint32_t d) {
	struct plumb_large *l = &plumb_larges[d];
	if (l->unit > 1) {
		uint32_t b = unit_owner[l->unit - 1];
		struct plumb_large *n = &plumb_larges[b];
		if (b && n->state == FREE && n->unit + n->units == l->unit) {
			unlist(b);
			l->unit = n->unit;
			l->units += n->units;
			retire(b);
		}
	}
	if (l->unit + l->units < frontier) {
		uint32_t b = unit_owner[l->unit + l->units];
		struct plumb_large *n = &plumb_larges[b];
		if (b && n->state == FREE && n->unit == l->unit + l->units) {
			unlist(b);
			l->units += n->units;
			retire(b);
		}
	}
	if (l->unit + l->units == frontier) {
		frontier = l->unit;
		retire(d);
		return;
	}
	l->state = FREE;
	l->prev = 0;
	l->next = bins[bin_of(l->units)];
	if (l->next) plumb_larges[l->next].prev = d;
	bins[bin_of(l->units)] = d;
	unit_owner[l->unit] = unit_owner[l->unit + l->units - 1] = d;
}

// Splits what follows the first units off into a free run.
static void trim(struct plumb_large *l, uint32_t units) {
	uint32_t rest = l->units > units ? descriptor() : 0;
	if (!rest) return;
	plumb_larges[rest].unit = l->unit + units;
	plumb_larges[rest].units = l->units - units;
	l->units = units;
	list(rest);
}

static int reach(uint32_t unit) {
	uintptr_t to = LARGE_BASE + ((uintptr_t)unit << UNIT_SHIFT);
	if (plumb_table_need(&units_table, (size_t)(unit + 1) * sizeof *unit_owner) != 0) return -1;
	if (to <= committed) return 0;
	if (plumb_commit(committed, to) != 0) return -1;
	committed = to;
	return 0;
}

static uint32_t take(uint32_t units) {
	for (uint32_t b = bin_of(units); b < 32; b++) {
		uint32_t tries = 0;
		for (uint32_t d = bins[b]; d && tries < 32; d = plumb_larges[d].next, tries++)
			if (plumb_larges[d].units >= units) {
				unlist(d);
				return d;
			}
	}
	if (units > NUNITS - frontier || reach(frontier + units) != 0) return 0;
	uint32_t d = descriptor();
	if (!d) return 0;
	plumb_larges[d].unit = frontier;
	plumb_larges[d].units = units;
	frontier += units;
	return d;
}

// libc's mmap refuses what cannot ever be there, unless the system is told to
// promise everything; a program may rely on that answer.
static int absurd(size_t size) {
	struct sysinfo s;
	return size >= (size_t)1 << 30 && sysinfo(&s) == 0 && size / s.mem_unit > s.totalram + s.totalswap;
}

void *plumb_large_alloc(size_t size, size_t align, uint32_t node, uint32_t flags) {
	uint64_t units = (size >> UNIT_SHIFT) + 1, extra = align > UNIT ? (align >> UNIT_SHIFT) - 1 : 0;
	uint32_t d = 0;
	if (units + extra < NUNITS && !absurd(size)) {
		plumb_lock(&lock);
		d = take(units + extra);
	} else {
		errno = ENOMEM;
		return 0;
	}
	if (!d) {
		plumb_unlock(&lock);
		errno = ENOMEM;
		return 0;
	}
	struct plumb_large *l = &plumb_larges[d];
	if (extra) {
		uint64_t mask = (align >> UNIT_SHIFT) - 1, first = (LARGE_BASE >> UNIT_SHIFT) + l->unit;
		uint32_t skip = (-first) & mask;
		uint32_t head = skip ? descriptor() : 0;
		if (head) {
			plumb_larges[head].unit = l->unit;
			plumb_larges[head].units = skip;
			l->unit += skip;
			l->units -= skip;
			l->state = LIVE; // not to be joined
			list(head);
		}
	}
	l->state = LIVE;
	trim(l, units);
	for (uint32_t i = 0; i < l->units; i++) unit_owner[l->unit + i] = d;
	l->size = size;
	l->use = 0;
	l->meta.alloc = node;
	l->meta.lost = 0;
	uintptr_t at = address(l);
	l->inherited = 0;
	__atomic_store_n(&l->meta.info, META_LIVE | flags, __ATOMIC_RELEASE);
	plumb_unlock(&lock);
	return (void *)at;
}

// Clears memory: pages go back to the system when that is cheaper.
static void clear(uintptr_t lo, uintptr_t hi) {
	if (hi - lo >= BIG) {
		uintptr_t from = (lo + 4095) & ~4095ul, to = hi & ~4095ul;
		if (madvise((void *)from, to - from, MADV_DONTNEED) == 0) {
			memset((void *)lo, 0, from - lo);
			memset((void *)to, 0, hi - to);
			return;
		}
	}
	memset((void *)lo, 0, hi - lo);
}

struct plumb_large *plumb_large_of(uintptr_t p) {
	uint32_t unit = (p - LARGE_BASE) >> UNIT_SHIFT;
	if (unit >= __atomic_load_n(&frontier, __ATOMIC_RELAXED)) return 0;
	struct plumb_large *l = &plumb_larges[unit_owner[unit]];
	if (!(l->meta.info & META_LIVE) || unit - l->unit >= l->units) return 0;
	return l;
}

void plumb_large_free(void *p, uint64_t event) {
	struct plumb_large *l = plumb_large_of((uintptr_t)p);
	if (event) plumb_drop_vectors(p, (l->size + 15) / 16, event);
	clear((uintptr_t)p, (uintptr_t)p + l->size + 1);
	if (plumb_have_subs) plumb_super_released((uintptr_t)p, l->size);
	plumb_lock(&lock);
	l->meta.info = 0;
	list(l - plumb_larges);
	plumb_unlock(&lock);
}

// Changes the size in place if the addresses behind the block allow it.
int plumb_large_resize(void *p, size_t size, uint32_t node, uint64_t event) {
	struct plumb_large *l = plumb_large_of((uintptr_t)p);
	uint64_t units = (size >> UNIT_SHIFT) + 1;
	if (units >= NUNITS || absurd(size)) return 0;
	if (size < l->size) {
		uintptr_t from = ((uintptr_t)p + size + 7) & ~7ul, end = (uintptr_t)p + l->size;
		if (from < end) plumb_scan_free(from, end - from, event);
		clear((uintptr_t)p + size, end + 1);
	}
	int done = 1;
	plumb_lock(&lock);
	if (units > l->units) {
		uint32_t after = l->unit + l->units, need = units - l->units;
		uint32_t b = after < frontier ? unit_owner[after] : 0;
		if (b && plumb_larges[b].state == FREE && plumb_larges[b].unit == after && plumb_larges[b].units >= need) {
			unlist(b);
			l->units += plumb_larges[b].units;
			retire(b);
		} else if (after == frontier && need < NUNITS - frontier && reach(frontier + need) == 0) {
			frontier += need;
			l->units += need;
		} else {
			done = 0;
		}
		for (uint32_t i = after; done && i < l->unit + units; i++) unit_owner[i] = l - plumb_larges;
	}
	if (done) {
		trim(l, units);
		l->size = size;
		l->meta.alloc = node;
	}
	plumb_unlock(&lock);
	return done;
}

int plumb_find_large(uintptr_t p, struct plumb_ref *out) {
	struct plumb_large *l = plumb_large_of(p);
	if (!l || p - address(l) > l->size) return 0;
	out->meta = &l->meta;
	out->use = &l->use;
	out->start = address(l);
	out->size = l->size;
	return 1;
}
