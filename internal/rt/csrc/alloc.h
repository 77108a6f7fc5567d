// The fast paths of malloc and free, inline in each function that allocates.
#ifndef PLUMB_ALLOC_H
#define PLUMB_ALLOC_H

#include <emmintrin.h>

#include "heap.h"

void *plumb_alloc_slow(size_t size, size_t align, uint32_t node, uint32_t flags);
void plumb_bad_free(void *p);

// size < MAX_SMALL, plumb_init done.
static inline void *plumb_alloc_small(size_t size, uint32_t node, uint32_t flags) {
	uint32_t c = plumb_class_for(size);
	struct plumb_bin *b = &plumb_self->bins[c];
	uint32_t index = b->head;
	struct plumb_meta *m = plumb_meta_at(c, index);
	if (likely(index)) {
		b->head = m->alloc;
		b->room++;
	} else {
		if (likely(b->next < b->end)) index = b->next++;
		else if (!(index = plumb_refill(c))) return 0;
		m = plumb_meta_at(c, index);
	}
	uint32_t slot = plumb_classes[c].size;
	m->alloc = node;
	m->lost = 0;
	if (unlikely(plumb_uses)) *plumb_use_at(c, index) = 0;
	m->info = META_LIVE | flags | (uint32_t)(slot - size);
	return (void *)(HEAP_BASE + ((uintptr_t)c << CLASS_SHIFT) + (uintptr_t)index * slot);
}

static NOINLINE void plumb_free_words(uintptr_t p, size_t n, uint64_t event) {
	plumb_scan_free(p, n, event);
	__builtin_memset((void *)p, 0, (n + 16) & ~15ul);
}

// Releases a block of the heap stretch: its words are events, then zero.
static inline void plumb_free_fast(void *at, uint64_t event) {
	uintptr_t p = (uintptr_t)at;
	uint32_t c = p >> CLASS_SHIFT & 127;
	uint32_t index = plumb_index(p, c);
	struct plumb_class *k = &plumb_classes[c];
	if (unlikely(index >= k->limit)) {
		struct plumb_ref r;
		if (!plumb_find(p, &r) || r.start != p) plumb_bad_free(at);
		plumb_large_free(at, event);
		return;
	}
	struct plumb_meta *m = plumb_meta_at(c, index);
	uint32_t info = m->info;
	uint32_t offset = (info >> OFFSET_SHIFT & OFFSET_MASK) * 16;
	uintptr_t slot = HEAP_BASE + ((uintptr_t)c << CLASS_SHIFT) + (uintptr_t)index * k->size;
	if (unlikely(!(info & META_LIVE) || p != slot + offset)) plumb_bad_free(at);
	size_t n = k->size - offset - (info & SLACK_MASK);
	if (!event) {
		__builtin_memset(at, 0, (n + 16) & ~15ul); // the byte behind too: it may have been written by mistake
	} else if (n <= 256) {
		__m128i *w = (__m128i *)p, *end = (__m128i *)(p + n);
		for (; w <= end; w++) { // <=: the byte behind is in the slot
			uint64_t a = ((uint64_t *)w)[0], b = ((uint64_t *)w)[1];
			*w = _mm_setzero_si128();
			if (unlikely(plumb_in_heap(a))) plumb_scan_free((uintptr_t)&a, 8, event);
			if (unlikely(plumb_in_heap(b))) plumb_scan_free((uintptr_t)&b, 8, event);
		}
	} else {
		plumb_free_words(p, n, event);
	}
	m->info = 0;
	struct plumb_bin *b = &plumb_self->bins[c];
	if (likely(b->room)) {
		m->alloc = b->head;
		b->head = index;
		b->room--;
	} else {
		plumb_spill(c, index);
	}
}

#endif
