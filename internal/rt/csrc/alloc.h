// The fast paths of malloc and free, inline in each function that allocates.
#ifndef PLUMB_ALLOC_H
#define PLUMB_ALLOC_H

#include "drop.h"

void *plumb_alloc_slow(size_t size, size_t align, uint32_t node, uint32_t flags);
void plumb_bad_free(void *p);

static ALWAYS_INLINE void *plumb_slot_taken(uint32_t c, uint32_t index, size_t size, uint32_t node, uint32_t flags) {
	uint32_t slot = plumb_classes[c].size;
	struct plumb_meta *m = plumb_meta_at(c, index);
	m->alloc = node;
	m->lost = 0;
	if (unlikely(plumb_extra)) plumb_taken_extra(c, index);
	m->info = META_LIVE | flags | 1 << OFFSET_SHIFT | (uint32_t)(slot - HEADER - size);
	return m + 1;
}

// Small slots keep what the program left in them until they are given out again:
// a list that is walked while it is released still ends where it did, and the
// stores come when the memory is wanted in the cache anyway. Larger ones are
// cleared when they are released.
#define LATE_CLEAR 544
static ALWAYS_INLINE void plumb_clear_slot(uint32_t c, uint32_t index) {
	uint32_t slot = plumb_classes[c].size;
	if (slot > LATE_CLEAR) return;
	__m128i *w = (__m128i *)(plumb_meta_at(c, index) + 1), zero = _mm_setzero_si128();
	uint32_t k = (slot - HEADER) / 16;
	if (k <= 4) { // some twice rather than a branch
		w[0] = w[k >> 1] = w[(k - 1) >> 1] = w[k - 1] = zero;
		return;
	}
	__m128i *last = w + k - 4;
	if (k <= 16) {
		__m128i *b = w + 4 < last ? w + 4 : last, *d = w + 8 < last ? w + 8 : last;
		w[0] = w[1] = w[2] = w[3] = zero;
		b[0] = b[1] = b[2] = b[3] = zero;
		d[0] = d[1] = d[2] = d[3] = zero;
		last[0] = last[1] = last[2] = last[3] = zero;
		return;
	}
	for (; w < last; w += 4) w[0] = w[1] = w[2] = w[3] = zero;
	last[0] = last[1] = last[2] = last[3] = zero;
}

// From the thread's cache; 0 if it has none. size < MAX_SMALL, plumb_init done.
static ALWAYS_INLINE void *plumb_alloc_cached(size_t size, uint32_t node) {
	uint32_t c = plumb_class_for(size);
	struct plumb_bin *b = &plumb_self->bins[c];
	uint32_t index = b->head;
	if (likely(index)) {
		b->head = plumb_meta_at(c, index)->alloc;
		b->room++;
		plumb_clear_slot(c, index);
	} else {
		index = b->next;
		if (unlikely(index >= b->end)) return 0;
		b->next = index + 1;
	}
	return plumb_slot_taken(c, index, size, node, 0);
}

static ALWAYS_INLINE void *plumb_alloc_small(size_t size, uint32_t node, uint32_t flags) {
	uint32_t c = plumb_class_for(size);
	struct plumb_bin *b = &plumb_self->bins[c];
	uint32_t index = b->head;
	if (likely(index)) {
		b->head = plumb_meta_at(c, index)->alloc;
		b->room++;
		plumb_clear_slot(c, index);
	} else if (likely(b->next < b->end)) {
		index = b->next++;
	} else {
		if (!(index = plumb_refill(c))) return 0;
		plumb_clear_slot(c, index);
	}
	return plumb_slot_taken(c, index, size, node, flags);
}

// Keeps a released slot. The last few rest before they are given out again: a
// variable that still has the address when its scope ends would tell of a block
// that it never held. The rest are given out last in, first out: they are warm.
static ALWAYS_INLINE void plumb_keep_slot(struct plumb_bin *b, uint32_t c, uint32_t index) {
	uint32_t *place = &b->resting[b->turn++ & b->mask], old = *place;
	*place = index;
	b->room--;
	if (unlikely(!old)) return;
	plumb_meta_at(c, old)->alloc = b->head;
	b->head = old;
}

// Releases a block of the heap stretch: its words are events. This is the common
// case, a block of a late-cleared class; 0 if it is not that.
static ALWAYS_INLINE int plumb_free_cached(void *at, uint64_t event) {
	uintptr_t p = (uintptr_t)at;
	uint32_t c = p >> CLASS_SHIFT & 127;
	struct plumb_class *k = &plumb_classes[c];
	struct plumb_meta *m = (struct plumb_meta *)p - 1;
	unsigned __int128 product = (unsigned __int128)((uintptr_t)m & (CLASS_SPAN - 1)) * k->inverse;
	uint32_t index = product >> 64;
	struct plumb_bin *b = &plumb_self->bins[c];
	// The lower half is below the inverse if there is no remainder: a slot's start.
	if (unlikely(index >= k->limit || k->size > LATE_CLEAR || (uint64_t)product >= k->inverse || !b->room)) return 0;
	uint32_t info = m->info;
	if (unlikely((info & (META_LIVE | META_ROOT | OFFSET_MASK << OFFSET_SHIFT)) != (META_LIVE | 1 << OFFSET_SHIFT))) return 0;
	size_t n = k->size - HEADER - (info & SLACK_MASK);
	if (unlikely(n > k->size)) return 0; // overwritten by the program
	if (likely(n)) plumb_drop_vectors((const __m128i *)p, (n + 15) / 16, event);
	m->info = 0;
	plumb_keep_slot(b, c, index);
	return 1;
}

void plumb_free_any(void *at, uint64_t event); // event 0: the words moved elsewhere, no events

#endif
