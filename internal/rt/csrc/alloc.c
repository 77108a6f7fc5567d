// Allocation and release of one block, whatever the function's name.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"
#include "subblocks.h"

NOINLINE void *plumb_alloc_slow(size_t size, size_t align, uint32_t node, uint32_t flags) {
	plumb_init();
	if (plumb_fallback || size > PTRDIFF_MAX || align > PTRDIFF_MAX) {
		errno = ENOMEM;
		return 0;
	}
	if (align <= 16 && size < MAX_SMALL) return plumb_alloc_small(size, node, flags);
	// An aligned start inside a larger slot.
	if (align > 16 && align <= 4096 && size + align < MAX_SMALL) {
		char *p = plumb_alloc_small(size + align - 16, node, flags);
		if (!p) return 0;
		struct plumb_ref r;
		plumb_find((uintptr_t)p, &r);
		uint32_t offset = -(uintptr_t)p & (align - 1), slack = (r.meta->info & SLACK_MASK) + (align - 16) - offset;
		r.meta->info = META_LIVE | flags | (offset / 16 + 1) << OFFSET_SHIFT | slack;
		return p + offset;
	}
	return plumb_large_alloc(size, align, node, flags);
}

void *plumb_alloc(size_t size, size_t align, uint32_t node, uint32_t flags) {
	if (likely(align <= 16 && size < MAX_SMALL && plumb_classes[0].size)) return plumb_alloc_small(size, node, flags);
	return plumb_alloc_slow(size, align, node, flags);
}

NOINLINE void plumb_bad_free(void *p) {
	plumb_say("free or realloc of %x: not the start of a live block (freed twice? overwritten from the block before?)", (uint64_t)(uintptr_t)p);
	abort();
}

NOINLINE void plumb_free_any(void *at, uint64_t event) {
	struct plumb_ref r;
	uintptr_t p = (uintptr_t)at;
	if (!plumb_find(p, &r) || r.start != p) plumb_bad_free(at);
	if (p >= LARGE_BASE) {
		plumb_large_free(at, event);
		return;
	}
	// A sub-block of no bytes may begin just behind it.
	if (plumb_have_subs && r.meta->info & META_ROOT) plumb_super_released(p, r.size + 1);
	uint32_t c = p >> CLASS_SHIFT & 127, index = plumb_index(p, c);
	if (event && r.size) plumb_drop_vectors((const __m128i *)p, (r.size + 15) / 16, event);
	if (plumb_classes[c].size > LATE_CLEAR) __builtin_memset(at, 0, (r.size + 15) & ~15ul);
	r.meta->info = 0;
	struct plumb_bin *b = &plumb_self->bins[c];
	if (likely(b->room)) plumb_keep_slot(b, c, index);
	else plumb_spill(c, index);
}

void plumb_free(void *p, uint32_t node) { plumb_free_any(p, plumb_event(AT_NODE, node)); }

size_t plumb_size(void *p) {
	struct plumb_ref r;
	if (!plumb_find((uintptr_t)p, &r)) return 0;
	return r.size;
}

void *plumb_realloc(void *p, size_t size, uint32_t node, uint32_t flags) {
	struct plumb_ref r;
	uint64_t event = plumb_event(AT_NODE, node);
	if (!plumb_find((uintptr_t)p, &r) || r.start != (uintptr_t)p) plumb_bad_free(p);
	if (size > PTRDIFF_MAX) {
		errno = ENOMEM;
		return 0;
	}
	if ((uintptr_t)p < LARGE_BASE) {
		// In place if the slot is right for the new size, or nearly.
		size_t room = r.size + (r.meta->info & SLACK_MASK);
		if (size <= room && (size >= room / 2 || room <= 64)) {
			if (size < r.size) {
				uintptr_t from = ((uintptr_t)p + size + 7) & ~7ul, end = (uintptr_t)p + r.size;
				if (from < end) plumb_scan_free(from, end - from, event);
				memset((char *)p + size, 0, r.size - size);
			}
			r.meta->info = (r.meta->info & ~SLACK_MASK) | (room - size);
			r.meta->alloc = node;
			return p;
		}
	} else if (size >= MAX_SMALL && plumb_large_resize(p, size, node, event)) {
		return p;
	}
	void *q = plumb_alloc(size, 16, node, flags | (r.meta->info & META_ROOT));
	if (!q) return 0;
	memcpy(q, p, size < r.size ? size : r.size);
	if (size < r.size) {
		uintptr_t from = ((uintptr_t)p + size + 7) & ~7ul, end = (uintptr_t)p + r.size;
		if (from < end) plumb_scan_free(from, end - from, event);
	}
	plumb_free_any(p, 0); // the words moved: no events
	return q;
}
