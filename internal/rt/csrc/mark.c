// The marker: which blocks can be reached.
//
// Conservative: any aligned word that points into a block, or just behind it,
// keeps it. A word's block is looked up some words later, when the prefetched
// line of its meta has arrived.
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "subblocks.h"

static struct plumb_table stack_table = {STACK_BASE, 0};
struct item { uintptr_t start; size_t size; };
static struct item *const stack = (struct item *)STACK_BASE;
static size_t nstack;
int plumb_mark_kept;
static int pagemap = -1;

#define RING 16
static uintptr_t ring[RING]; // cleared after use: it must not be a root of the next check
static uint32_t at;

int plumb_mark_begin(void) {
	nstack = 0;
	plumb_mark_kept = 0;
	return plumb_table_need(&stack_table, 1 << 20);
}

static void push(uintptr_t start, size_t size) {
	if (plumb_table_need(&stack_table, (nstack + 1) * sizeof *stack) != 0) return;
	stack[nstack++] = (struct item){start, size};
}

static inline void mark(uintptr_t p) {
	struct plumb_ref r;
	if (!plumb_target(p, &r)) return;
	uint32_t info = r.meta->info;
	if (info & META_MARK) return;
	// A stream that only libc still knows is lost: nobody can close it.
	if (plumb_mark_kept) {
		if (info & META_FLAG) return;
		r.meta->lost = KEPT_BY_LIBC;
	}
	r.meta->info = info | META_MARK;
	__builtin_prefetch((void *)r.start);
	push(r.start, r.size);
}

static inline void candidate(uintptr_t p) {
	uint32_t c = p >> CLASS_SHIFT & 127;
	if (likely(c < NCLASSES)) __builtin_prefetch(plumb_meta_at(c, plumb_index(p, c)));
	uintptr_t old = ring[at];
	ring[at] = p;
	at = (at + 1) % RING;
	if (old) mark(old);
}

static void scan_words(uintptr_t lo, uintptr_t hi) {
	lo = (lo + 7) & ~7ul;
	while (unlikely(plumb_nguards) && lo < hi) { // the program made some pages unreadable
		uintptr_t end = plumb_readable(&lo, hi);
		if (end == hi) break;
		scan_words(lo, end);
		lo = end;
	}
	for (const uintptr_t *w = (const uintptr_t *)lo; (uintptr_t)(w + 1) <= hi; w++)
		if (plumb_in_heap(*w) || unlikely(*w - plumb_subs_lo < plumb_subs_len)) candidate(*w);
}

void plumb_scan(uintptr_t lo, uintptr_t hi) {
	scan_words(lo, hi);
	plumb_drain();
}

void plumb_scan_resident(uintptr_t lo, uintptr_t hi) {
	if (hi - lo < 64 << 10) {
		scan_words(lo, hi);
		return;
	}
	if (pagemap < 0) pagemap = plumb_open_self("/proc/self/pagemap", O_RDONLY);
	uint64_t entries[512];
	for (uintptr_t page = lo & ~4095ul; page < hi;) {
		size_t n = (hi - page + 4095) / 4096;
		if (n > 512) n = 512;
		ssize_t got = pagemap < 0 ? -1 : pread(pagemap, entries, n * 8, page / 4096 * 8);
		if (got < 8) {
			scan_words(lo > page ? lo : page, hi);
			return;
		}
		for (ssize_t i = 0; i < got / 8; i++, page += 4096) {
			if (!(entries[i] >> 62)) continue; // neither present nor swapped out
			uintptr_t from = page < lo ? lo : page, to = page + 4096 > hi ? hi : page + 4096;
			if (from < to) scan_words(from, to);
		}
	}
}

static int more(void) {
	if (nstack) return 1;
	for (uint32_t i = 0; i < RING; i++)
		if (ring[i]) {
			uintptr_t p = ring[i];
			ring[i] = 0;
			mark(p);
			if (nstack) return 1;
		}
	return 0;
}

void plumb_drain(void) {
	while (more()) {
		struct item it = stack[--nstack];
		struct plumb_ref r;
		if (it.size >= 112 && plumb_find(it.start, &r) && r.meta->info & META_FLAG) {
			scan_words(it.start, it.start + FILE_CHAIN);
			scan_words(it.start + FILE_CHAIN + 8, it.start + it.size);
		} else if (plumb_have_subs && plumb_find(it.start, &r) && r.start == it.start && r.size == it.size && r.meta->info & META_ROOT) {
			// The block around sub-blocks: they are scanned when something refers to
			// them, and what is left in released ones refers to nothing.
			plumb_sub_gaps(it.start, it.start + it.size, plumb_scan_resident);
		} else {
			plumb_scan_resident(it.start, it.start + it.size);
		}
	}
	if (pagemap >= 0) close(pagemap);
	pagemap = -1;
}

void plumb_each(void (*f)(struct plumb_ref *)) {
	struct plumb_ref r;
	for (uint32_t c = 0; c < NCLASSES; c++) {
		uint32_t size = plumb_classes[c].size;
		for (uint32_t i = 1; i < plumb_classes[c].limit; i++) {
			struct plumb_meta *m = plumb_meta_at(c, i);
			if (!(m->info & META_LIVE)) continue;
			uint32_t offset = (m->info >> OFFSET_SHIFT & OFFSET_MASK) * 16;
			if (unlikely(offset + (m->info & SLACK_MASK) > size || !offset)) continue; // overwritten by the program
			r.meta = m;
			r.start = plumb_slot_at(c, i) + offset;
			r.size = size - offset - (m->info & SLACK_MASK);
			r.use = plumb_use_at(c, i);
			f(&r);
		}
	}
	for (uint32_t i = 1; i <= plumb_nlarges; i++) {
		struct plumb_large *l = &plumb_larges[i];
		if (!(l->meta.info & META_LIVE)) continue;
		r.meta = &l->meta;
		r.use = &l->use;
		r.start = LARGE_BASE + ((uintptr_t)l->unit << UNIT_SHIFT);
		r.size = l->size;
		f(&r);
	}
	for (uint32_t i = 1; i <= plumb_nsubs; i++) {
		struct plumb_sub *s = &plumb_subs[i];
		if (!(s->meta.info & META_LIVE)) continue;
		r = (struct plumb_ref){&s->meta, &s->use, s->start, s->size};
		f(&r);
	}
}
