// The heart of an event, inline where many come at once.
#ifndef PLUMB_DROP_H
#define PLUMB_DROP_H

#include <emmintrin.h>

#include "heap.h"

void plumb_large_event(uintptr_t p, uint64_t event, int is_use) __attribute__((preserve_most));
void plumb_maybe_sub_event(uintptr_t p, uint64_t event, struct plumb_meta *) __attribute__((preserve_most));

// p is in the heap stretch, but may be anything there: a number may look like a
// pointer. Slots that were never handed out have no meta to write to.
static inline void plumb_drop_at(uintptr_t p, uint64_t event) {
	uint32_t c = p >> CLASS_SHIFT & 127, i = plumb_index(p, c);
	struct plumb_meta *m = plumb_meta_at(c, i);
	if (unlikely(i >= plumb_classes[c].limit)) plumb_large_event(p, event, 0);
	else if (unlikely(plumb_have_subs)) plumb_maybe_sub_event(p, event, m);
	else m->lost = event;
}

// Four vectors of words at once, in any order: an event may come twice. After the
// shift the low half of a pointer into the heap is the tag.
void plumb_drop_hits(const __m128i *w0, const __m128i *w1, const __m128i *w2, const __m128i *w3, uint64_t event) __attribute__((preserve_most));
static ALWAYS_INLINE __m128i plumb_hits(const __m128i *w) {
	const __m128i tag = _mm_set_epi32(1, PLUMB_HEAP_TAG, 1, PLUMB_HEAP_TAG);
	return _mm_cmpeq_epi32(_mm_srli_epi64(_mm_load_si128(w), PLUMB_HEAP_SHIFT), tag);
}
static ALWAYS_INLINE __m128i plumb_hits4(const __m128i *w) {
	return _mm_or_si128(_mm_or_si128(plumb_hits(w), plumb_hits(w + 1)), _mm_or_si128(plumb_hits(w + 2), plumb_hits(w + 3)));
}
static ALWAYS_INLINE void plumb_drop_four(const __m128i *w0, const __m128i *w1, const __m128i *w2, const __m128i *w3, uint64_t event) {
	__m128i any = _mm_or_si128(_mm_or_si128(plumb_hits(w0), plumb_hits(w1)), _mm_or_si128(plumb_hits(w2), plumb_hits(w3)));
	if (_mm_movemask_epi8(any)) plumb_drop_hits(w0, w1, w2, w3, event);
}

// Words of a released block are events. Few branches: sizes come in any order,
// and a branch that is guessed wrong costs more than the words. k >= 1 vectors.
static ALWAYS_INLINE void plumb_drop_vectors(const __m128i *w, size_t k, uint64_t event) {
	if (k <= 4) {
		plumb_drop_four(w, w + (k >> 1), w + ((k - 1) >> 1), w + k - 1, event);
		return;
	}
	const __m128i *last = w + k - 4;
	if (k <= 16) {
		const __m128i *b = w + 4 < last ? w + 4 : last, *c = w + 8 < last ? w + 8 : last;
		__m128i any = _mm_or_si128(plumb_hits4(w), plumb_hits4(b));
		any = _mm_or_si128(any, _mm_or_si128(plumb_hits4(c), plumb_hits4(last)));
		if (!_mm_movemask_epi8(any)) return;
	}
	for (; w < last; w += 4) plumb_drop_four(w, w + 1, w + 2, w + 3, event);
	plumb_drop_four(last, last + 1, last + 2, last + 3, event);
}

#endif
