// Requests of the program: functions that a model names as allocators, the macros
// of plumb.h, and valgrind's client requests, which the pass leads here.
#include "proc.h"
#include "subblocks.h"

#define HERE (here((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16))

static uint32_t here(uintptr_t ra, uintptr_t sp) {
	uint32_t flags;
	plumb_proc_init();
	return plumb_origin(ra, sp, &flags);
}

// Size 0: the allocator's arguments do not tell it.
EXPORT void plumb_block(void *p, uint64_t size, uint32_t site, uint32_t ctx) {
	struct plumb_ref r;
	if (!p)
		return;
	if (!size && plumb_find((uintptr_t)p, &r))
		size = r.start + r.size - (uintptr_t)p;
	plumb_sub_add(0, (uintptr_t)p, size, plumb_node(ctx, site));
}

EXPORT void plumb_unblock(void *p, uint32_t site, uint32_t ctx) {
	plumb_sub_remove((uintptr_t)p, plumb_event(site, ctx));
}

// ---- plumb.h

EXPORT void plumb_client_alloc(const void *pool, const void *p, unsigned long n) {
	plumb_sub_add((uintptr_t)pool, (uintptr_t)p, n, HERE);
}
EXPORT void plumb_client_resize(const void *p, unsigned long n) { plumb_sub_resize((uintptr_t)p, n, HERE); }
EXPORT void plumb_client_free(const void *pool, const void *p) {
	(void)pool;
	plumb_sub_remove((uintptr_t)p, plumb_event(AT_NODE, HERE));
}
EXPORT void plumb_client_pool(const void *pool, int create) {
	if (create)
		plumb_pool_begin((uintptr_t)pool);
	else
		plumb_pool_end((uintptr_t)pool, plumb_event(AT_NODE, HERE));
}

// The block counts as one of the dynamic linker's: a root that is not reported.
EXPORT void plumb_client_ignore(const void *p) {
	struct plumb_ref r;
	if ((plumb_have_subs && plumb_sub_find((uintptr_t)p, &r)) || plumb_find((uintptr_t)p, &r))
		r.meta->info |= META_ROOT;
}

// ---- valgrind

enum {
	ON_VALGRIND = 0x1001,
	MALLOCLIKE = 0x1301, FREELIKE, CREATE_MEMPOOL, DESTROY_MEMPOOL, MEMPOOL_ALLOC, MEMPOOL_FREE,
	MEMPOOL_TRIM, MOVE_MEMPOOL, MEMPOOL_CHANGE, MEMPOOL_EXISTS, RESIZEINPLACE,
	MEMCHECK = 'M' << 24 | 'C' << 16, LEAK_CHECK = MEMCHECK + 6, COUNT_LEAKS = MEMCHECK + 7, COUNT_BLOCKS = MEMCHECK + 12,
};

EXPORT uint64_t plumb_valgrind(uint64_t otherwise, const uint64_t *a) {
	uint32_t node;
	switch (a[0]) {
	case ON_VALGRIND: // programs ask before they describe their pools
		return 1;
	case MALLOCLIKE: // address, size, red zone, zeroed
		plumb_sub_add(0, a[1], a[2], HERE);
		return 0;
	case RESIZEINPLACE: // address, old size, new size
		plumb_sub_resize(a[1], a[3], HERE);
		return 0;
	case FREELIKE:
		plumb_sub_remove(a[1], plumb_event(AT_NODE, HERE));
		return 0;
	case CREATE_MEMPOOL:
		plumb_pool_begin(a[1]);
		return 0;
	case DESTROY_MEMPOOL:
		plumb_pool_end(a[1], plumb_event(AT_NODE, HERE));
		return 0;
	case MEMPOOL_ALLOC: // pool, address, size
		plumb_sub_add(a[1], a[2], a[3], HERE);
		return 0;
	case MEMPOOL_FREE: // pool, address
		plumb_sub_remove(a[2], plumb_event(AT_NODE, HERE));
		return 0;
	case MEMPOOL_TRIM: // pool, address, size
		node = HERE;
		plumb_pool_trim(a[1], a[2], a[2] + a[3], plumb_event(AT_NODE, node));
		return 0;
	case MOVE_MEMPOOL:
		plumb_pool_rename(a[1], a[2]);
		return 0;
	case MEMPOOL_CHANGE: // pool, old address, new address, size
		plumb_sub_move(a[2], a[3], a[4]);
		return 0;
	case MEMPOOL_EXISTS:
		return plumb_pool_exists(a[1]);
	case LEAK_CHECK:
		plumb_client_check();
		return 0;
	case COUNT_LEAKS: // where to put: lost, doubtful, reachable, suppressed
	case COUNT_BLOCKS:
		*(unsigned long *)a[1] = a[0] == COUNT_LEAKS ? plumb_last_check.lost_bytes : plumb_last_check.lost_blocks;
		*(unsigned long *)a[2] = 0;
		*(unsigned long *)a[3] = a[0] == COUNT_LEAKS ? plumb_last_check.live_bytes : plumb_last_check.live_blocks;
		*(unsigned long *)a[4] = 0;
		return 0;
	}
	return otherwise;
}
