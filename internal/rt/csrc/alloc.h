// The fast paths of malloc and free, inline in each function that allocates.
#ifndef PLUMB_ALLOC_H
#define PLUMB_ALLOC_H

#include <emmintrin.h>

#include "heap.h"

void *plumb_alloc_slow(size_t size, size_t align, uint32_t node, uint32_t flags);
void plumb_bad_free(void *p);
void plumb_odd_free(void *p, uint32_t info, size_t size); // returns if the block can be released

static inline void *plumb_slot_taken(uint32_t c, uint32_t index, size_t size, uint32_t node, uint32_t flags) {
	uint32_t slot = plumb_classes[c].size;
	struct plumb_meta *m = plumb_meta_at(c, index);
	m->alloc = node;
	m->lost = 0;
	if (unlikely(plumb_uses)) *plumb_use_at(c, index) = 0;
	m->info = META_LIVE | flags | (uint32_t)(slot - size);
	return (void *)(HEAP_BASE + ((uintptr_t)c << CLASS_SHIFT) + (uintptr_t)index * slot);
}

// From the thread's cache; 0 if it has none. size < MAX_SMALL, plumb_init done.
static inline void *plumb_alloc_cached(size_t size, uint32_t node) {
	uint32_t c = plumb_class_for(size);
	struct plumb_bin *b = &plumb_self->bins[c];
	uint32_t index = b->head;
	if (likely(index)) {
		b->head = plumb_meta_at(c, index)->alloc;
		b->room++;
	} else {
		index = b->next;
		if (unlikely(index >= b->end)) return 0;
		b->next = index + 1;
	}
	return plumb_slot_taken(c, index, size, node, 0);
}

static inline void *plumb_alloc_small(size_t size, uint32_t node, uint32_t flags) {
	uint32_t c = plumb_class_for(size);
	struct plumb_bin *b = &plumb_self->bins[c];
	uint32_t index = b->head;
	if (likely(index)) {
		b->head = plumb_meta_at(c, index)->alloc;
		b->room++;
	} else if (likely(b->next < b->end)) {
		index = b->next++;
	} else if (!(index = plumb_refill(c))) {
		return 0;
	}
	return plumb_slot_taken(c, index, size, node, flags);
}

// Words of a released block: events, then zero. Four vectors at a time, as most
// memory holds no pointers: after the shift a pointer's low half is the tag.
static inline void plumb_release_words(uintptr_t p, size_t n, uint64_t event) {
	const __m128i tag = _mm_set_epi32(1, PLUMB_HEAP_TAG, 1, PLUMB_HEAP_TAG), zero = _mm_setzero_si128();
	__m128i *w = (__m128i *)p, *end = (__m128i *)(p + n); // w <= end: the byte behind is in the slot, and may have been written
#define HIT(v) _mm_cmpeq_epi32(_mm_srli_epi64(v, PLUMB_HEAP_SHIFT), tag)
	for (; w + 4 <= end; w += 4) {
		__m128i a = _mm_load_si128(w), b = _mm_load_si128(w + 1), c = _mm_load_si128(w + 2), d = _mm_load_si128(w + 3);
		__m128i any = _mm_or_si128(_mm_or_si128(HIT(a), HIT(b)), _mm_or_si128(HIT(c), HIT(d)));
		if (unlikely(_mm_movemask_epi8(any))) plumb_scan_free((uintptr_t)w, 64, event);
		_mm_store_si128(w, zero);
		_mm_store_si128(w + 1, zero);
		_mm_store_si128(w + 2, zero);
		_mm_store_si128(w + 3, zero);
	}
	for (; w <= end; w++) {
		if (unlikely(_mm_movemask_epi8(HIT(_mm_load_si128(w))))) plumb_scan_free((uintptr_t)w, 16, event);
		_mm_store_si128(w, zero);
	}
#undef HIT
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
	size_t n = k->size - offset - (info & SLACK_MASK);
	if (unlikely((info & (META_LIVE | META_ROOT)) != META_LIVE || p != slot + offset)) plumb_odd_free(at, p == slot + offset ? info : 0, n);
	if (!event) {
		__builtin_memset(at, 0, (n + 16) & ~15ul); // the byte behind too: it may have been written by mistake
	} else {
		plumb_release_words(p, n, event);
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
