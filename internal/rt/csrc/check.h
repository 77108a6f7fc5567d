// Between the marker, the sweep and the writer.
#ifndef PLUMB_CHECK_H
#define PLUMB_CHECK_H

#include "heap.h"
#include "subblocks.h"
#include "table.h"

// Marker (mark.c): plumb_scan takes roots, plumb_drain follows them.
extern int plumb_mark_kept; // what is marked now is only libc's: not the program's to release
int plumb_mark_begin(void);
void plumb_drain(void);
void plumb_scan_resident(uintptr_t lo, uintptr_t hi); // leaves out pages that were never touched
#define KEPT_BY_LIBC 2u // in place of a loss site
#define FILE_CHAIN 104  // offset of _IO_FILE._chain

// Roots (roots.c).
extern int plumb_blind; // roots cannot be found: nothing counts as lost
void plumb_snapshot_modules(void); // before threads are stopped: asks the linker
void plumb_mark_roots(struct plumb_world *, uintptr_t sp, const uintptr_t *regs, int nregs);

// The block or sub-block that a word refers to; 0 if there is none.
static inline int plumb_target(uintptr_t p, struct plumb_ref *r) {
	if (unlikely(plumb_have_subs) && plumb_sub_find(p, r)) return 1;
	return plumb_find(p, r) && p - r->start <= r->size;
}

// Every live block, in order of address; then the sub-blocks.
void plumb_each(void (*f)(struct plumb_ref *));

// Lost blocks while they are sorted: 1..n.
struct plumb_loss {
	struct plumb_meta *meta;
	uintptr_t start;
	size_t size;
	uint64_t lost, use; // lost: meta.lost holds the record's number meanwhile
	uint32_t owner;     // number of the record it is reached from; its own: direct
	uint32_t members, first; // of a leader: how many it owns, where they are listed
	uint8_t cyclic, in_cycle;
};
#define plumb_losses ((struct plumb_loss *)RECORDS_BASE)
void plumb_find_owners(uint32_t n);
uint32_t plumb_leader_of(uint32_t i);

// Blocks alike, after the sweep.
enum plumb_state { LOST, INDIRECT, FORGOTTEN };
struct plumb_group {
	uint32_t state, alloc;
	uint64_t lost, use;
	uint64_t count, bytes;
	uint32_t owner; // index + 1 of the group that owns an indirect one
	uint32_t inherited; // 1: from before the fork that made the process
	uint32_t line;  // its number in the report
};
struct plumb_result {
	struct plumb_group *groups;
	uint32_t ngroups;
	uint64_t live_blocks, live_bytes, lost_blocks, lost_bytes;
};
void plumb_sweep(struct plumb_result *);
void plumb_write_report(struct plumb_result *, enum plumb_reason, int number);
void plumb_print(struct plumb_result *); // short, to stderr

#endif
