// Between the files of the allocator.
#ifndef PLUMB_HEAP_H
#define PLUMB_HEAP_H

#include "rt.h"

#define HEADER sizeof(struct plumb_meta)
#define MAX_SMALL (897 * 64 - HEADER) // blocks below it have a class

// By the slot's size in 16 or 64 bytes: header and block.
extern uint8_t plumb_class_by_16[67], plumb_class_by_64[898];
static inline uint32_t plumb_class_for(size_t size) {
	return size < 1024 ? plumb_class_by_16[(size + HEADER + 15) >> 4] : plumb_class_by_64[(size + HEADER + 63) >> 6];
}
// The slot of a pointer into a block. A pointer just behind the block is still its own:
// nothing points to headers, so what lies a header's size in front of p decides.
static inline uint32_t plumb_index(uintptr_t p, uint32_t c) {
	return (uint64_t)((unsigned __int128)((p - HEADER) & (CLASS_SPAN - 1)) * plumb_classes[c].inverse >> 64);
}
static inline uint64_t *plumb_use_at(uint32_t c, uint32_t index) {
	return (uint64_t *)(USE_BASE + ((uintptr_t)c << (CLASS_SHIFT - 1))) + index;
}

int plumb_reserve(void);
uint32_t plumb_refill(uint32_t c);
void plumb_spill(uint32_t c, uint32_t index);
struct plumb_thread *plumb_thread(void);

int plumb_is_inherited(uintptr_t p);    // the block is from before the fork
void plumb_taken_extra(uint32_t c, uint32_t index);

void plumb_large_init(void);
void *plumb_large_alloc(size_t size, size_t align, uint32_t node, uint32_t flags);
void plumb_large_free(void *p, uint64_t event); // event 0: its words moved elsewhere
int plumb_large_resize(void *p, size_t size, uint32_t node, uint64_t event);
int plumb_find_large(uintptr_t p, struct plumb_ref *out);
struct plumb_large *plumb_large_of(uintptr_t p);

void plumb_context_init(void);
void plumb_lock_own(void), plumb_unlock_own(void);
void plumb_lock_large(void), plumb_unlock_large(void);
void plumb_lock_code(void), plumb_unlock_code(void); // contexts, units, modules

void plumb_scan_free(uintptr_t lo, size_t bytes, uint64_t event); // events of a released block's words
void plumb_code_begin(uintptr_t at), plumb_code_end(uintptr_t at); // the module around has a unit; had

int plumb_call_main(int, char **, char **); // calls the program's main: stacks end there

#endif
