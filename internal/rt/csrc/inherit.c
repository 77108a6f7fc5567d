// Blocks that a forked process has from its parent. Those that were lost before
// the fork are the parent's losses: the reader counts them once.
#include "heap.h"

// For each class a bit a slot: live when the process began, and still the same.
static struct {
	uint8_t *bits;
	uint32_t slots, room;
} from[NCLASSES];

int plumb_extra, plumb_orphaned;

// In the child, before it has threads.
void plumb_inherit(void) {
	if (plumb_fallback) return;
	for (uint32_t c = 0; c < NCLASSES; c++) {
		uint32_t n = plumb_classes[c].limit;
		from[c].slots = 0;
		if (n > from[c].room) {
			if (!(from[c].bits = plumb_own(n / 8 + 1))) {
				from[c].room = 0;
				continue;
			}
			from[c].room = n;
		} else if (n) {
			__builtin_memset(from[c].bits, 0, n / 8 + 1);
		}
		from[c].slots = n;
		for (uint32_t i = 1; i < n; i++)
			if (plumb_meta_at(c, i)->info & META_LIVE) from[c].bits[i / 8] |= 1 << i % 8;
	}
	for (uint32_t i = 1; i <= plumb_nlarges; i++) plumb_larges[i].inherited = (plumb_larges[i].meta.info & META_LIVE) != 0;
	plumb_extra = 1;
}

int plumb_is_inherited(uintptr_t p) {
	uint32_t c = p >> CLASS_SHIFT & 127;
	if (c >= NCLASSES) {
		struct plumb_large *l = plumb_large_of(p);
		return l && l->inherited;
	}
	uint32_t i = plumb_index(p, c);
	return i < from[c].slots && from[c].bits[i / 8] >> i % 8 & 1;
}

NOINLINE void plumb_taken_extra(uint32_t c, uint32_t index) {
	if (plumb_uses) *plumb_use_at(c, index) = 0;
	if (index < from[c].slots) __atomic_fetch_and(&from[c].bits[index / 8], (uint8_t) ~(1 << index % 8), __ATOMIC_RELAXED);
}
