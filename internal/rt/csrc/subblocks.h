// Blocks that the program hands out itself, inside bigger blocks (superblocks)
// or inside mappings: pools, arenas, wrappers that put a header in front.
//
// A superblock is a root and not reported as long as it has live sub-blocks, but
// only for the memory between them: each of them counts for itself.
#ifndef PLUMB_SUBBLOCKS_H
#define PLUMB_SUBBLOCKS_H

#include "rt.h"

// For the marker and the writer, while the locks are held. A sub-block has a
// meta of its own; a released one (not META_LIVE) stays known until its memory is
// used again, because what it holds is stale.
struct plumb_sub {
	struct plumb_meta meta;
	uint64_t use;
	uintptr_t start;
	size_t size;
	uintptr_t pool; // 0 none
	uint32_t next;  // of the same start's hash, or free list
};
extern struct plumb_sub *plumb_subs; // 1..plumb_nsubs; unused if start is 0
extern uint32_t plumb_nsubs;

int plumb_sub_find(uintptr_t p, struct plumb_ref *out); // a live one; its end does not count
// Calls scan for those parts of the memory that no sub-block covers or covered.
void plumb_sub_gaps(uintptr_t lo, uintptr_t hi, void (*scan)(uintptr_t, uintptr_t));
void plumb_lock_subs(void);
void plumb_unlock_subs(void);
void plumb_super_released(uintptr_t start, size_t size); // its sub-blocks are gone
extern uintptr_t plumb_subs_lo, plumb_subs_len; // all sub-blocks outside of the heap lie within

// The runtime's own ways in: the client requests of plumb.h and valgrind.
void plumb_sub_add(uintptr_t pool, uintptr_t p, size_t size, uint32_t node);
void plumb_sub_remove(uintptr_t p, uint64_t event);
void plumb_sub_resize(uintptr_t p, size_t size, uint32_t node);
void plumb_sub_move(uintptr_t from, uintptr_t to, size_t size);
void plumb_pool_begin(uintptr_t pool);
void plumb_pool_end(uintptr_t pool, uint64_t event);
void plumb_pool_rename(uintptr_t from, uintptr_t to);
void plumb_pool_trim(uintptr_t pool, uintptr_t lo, uintptr_t hi, uint64_t event);
int plumb_pool_exists(uintptr_t pool);

#endif
