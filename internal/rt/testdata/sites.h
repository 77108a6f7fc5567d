// What the pass would write, by hand: each site is named by its line.
#ifndef SITES_H
#define SITES_H
#include "abi.h"

#define MAX_LINE 400
static struct plumb_site sites_[MAX_LINE];
static uint32_t base_;
static struct plumb_unit unit_ = {PLUMB_ABI, MAX_LINE, sites_, "\0program.c\0function", 20, &base_};

__attribute__((constructor(101))) static void sites_begin(void) {
	for (int i = 0; i < MAX_LINE; i++) sites_[i] = (struct plumb_site){1, 11, 0, i, 1, i % 2 ? PLUMB_CALL : PLUMB_OVERWRITE};
	plumb_unit_begin(&unit_);
}
__attribute__((destructor(101))) static void sites_end(void) { plumb_unit_end(&unit_); }

// Code without sites that calls back finds the context as it left it.
static void leave_(uint32_t *ctx) { *(volatile uint32_t *)&plumb_ctx = *ctx; }
#define ENTER __attribute__((cleanup(leave_))) uint32_t ctx_ = plumb_ctx
static inline uint32_t child_(uint32_t ctx, int line) {
	static uint64_t caches[MAX_LINE];
	uint64_t *c = &caches[line], v = *c;
	return v && (uint32_t)v == ctx ? v >> 32 : plumb_child(ctx, base_ + line, c);
}
// A call at this line: CALL(malloc(8)).
#define CALL(e) (*(volatile uint32_t *)&plumb_ctx = child_(ctx_, __LINE__), e)
#define TAGGED(p) ((uintptr_t)(p) >> PLUMB_HEAP_SHIFT == PLUMB_HEAP_TAG)
// The value of p goes away at this line.
#define DROP(p) (TAGGED(p) ? plumb_drop((void *)(p), base_ + __LINE__, ctx_) : (void)0)
#define USE(p) (TAGGED(p) ? plumb_use((void *)(p), base_ + __LINE__, ctx_) : (void)0)
#endif
