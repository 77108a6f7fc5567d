// The table of sub-blocks. Two hashes find the one that an address lies in: by
// 256 bytes of addresses for small ones, by 64 KiB for the others; a sub-block is
// listed under each piece that it touches.
#include "subblocks.h"
#include "proc.h"
#include <string.h>

enum { MAX_SUBS = 1 << 22, MAX_ENTRIES = 1 << 24, BUCKETS = 1 << 20, SMALL = 4096, FINE = 8, COARSE = 16 };

struct entry { uint32_t sub, next; };
struct plumb_sub *plumb_subs;
uint32_t plumb_nsubs;
uintptr_t plumb_subs_lo, plumb_subs_len;
static struct entry *entries;
static uint32_t nentries, free_entries, free_subs;
static uint32_t *buckets[2]; // fine, coarse
static struct plumb_lock lock;

// How many live sub-blocks a block has. In a hash by start, open.
struct super { uintptr_t start; int64_t live; };
enum { MAX_SUPERS = 1 << 20 };
static struct super *supers;
static uint32_t nsupers;

enum { MAX_POOLS = 1 << 12 };
static uintptr_t *pools;
static uint32_t npools;

void plumb_lock_subs(void) { plumb_lock(&lock); }
void plumb_unlock_subs(void) { plumb_unlock(&lock); }

static int begin(void) {
	plumb_init();
	if (plumb_have_subs)
		return 1;
	if (plumb_fallback)
		return 0;
	plumb_subs = plumb_own((size_t)MAX_SUBS * sizeof *plumb_subs);
	entries = plumb_own((size_t)MAX_ENTRIES * sizeof *entries);
	buckets[0] = plumb_own((size_t)BUCKETS * sizeof(uint32_t));
	buckets[1] = plumb_own((size_t)BUCKETS * sizeof(uint32_t));
	pools = plumb_own(MAX_POOLS * sizeof *pools);
	supers = plumb_own((size_t)MAX_SUPERS * sizeof *supers);
	if (!plumb_subs || !entries || !buckets[0] || !buckets[1] || !pools || !supers)
		return 0;
	plumb_have_subs = 1;
	return 1;
}

static uint32_t *bucket(int coarse, uintptr_t piece) {
	return &buckets[coarse][piece * 0x9e3779b97f4a7c15u >> 44];
}

static int is_coarse(const struct plumb_sub *s) { return s->size > SMALL; }

static void list(uint32_t i) {
	struct plumb_sub *s = &plumb_subs[i];
	int coarse = is_coarse(s), shift = coarse ? COARSE : FINE;
	for (uintptr_t piece = s->start >> shift; piece <= (s->start + s->size - 1) >> shift; piece++) {
		uint32_t e = free_entries;
		if (e)
			free_entries = entries[e].next;
		else if (nentries + 1 < MAX_ENTRIES)
			e = ++nentries;
		else
			return;
		uint32_t *b = bucket(coarse, piece);
		entries[e] = (struct entry){i, *b};
		*b = e;
	}
}

static void unlist(uint32_t i) {
	struct plumb_sub *s = &plumb_subs[i];
	int coarse = is_coarse(s), shift = coarse ? COARSE : FINE;
	for (uintptr_t piece = s->start >> shift; piece <= (s->start + s->size - 1) >> shift; piece++)
		for (uint32_t *at = bucket(coarse, piece); *at; at = &entries[*at].next) {
			uint32_t e = *at;
			if (entries[e].sub != i)
				continue;
			*at = entries[e].next;
			entries[e].next = free_entries;
			free_entries = e;
			break;
		}
}

// The sub-block, live or released, that the address lies in.
static uint32_t at(uintptr_t p) {
	for (int coarse = 0; coarse < 2; coarse++)
		for (uint32_t e = *bucket(coarse, p >> (coarse ? COARSE : FINE)); e; e = entries[e].next) {
			struct plumb_sub *s = &plumb_subs[entries[e].sub];
			if (p - s->start < s->size)
				return entries[e].sub;
		}
	return 0;
}

// The first sub-block that begins or goes on at or behind p, 0 if none does before hi.
static uint32_t next_sub(uintptr_t p, uintptr_t hi) {
	while (p < hi) {
		uint32_t i = at(p);
		if (i)
			return i;
		// None here: the nearest start in this piece of either hash, else the next piece.
		uintptr_t next = (p | ((1 << FINE) - 1)) + 1;
		for (int coarse = 0; coarse < 2; coarse++)
			for (uint32_t e = *bucket(coarse, p >> (coarse ? COARSE : FINE)); e; e = entries[e].next) {
				uintptr_t s = plumb_subs[entries[e].sub].start;
				if (s > p && s < next)
					next = s;
			}
		p = next;
	}
	return 0;
}

// The block around is a superblock as long as it has live sub-blocks.
static void count(uintptr_t p, int change) {
	struct plumb_ref r;
	if (!plumb_find(p, &r))
		return;
	struct super *u, *unused = 0;
	uint32_t h = r.start * 0x9e3779b97f4a7c15u >> 44;
	for (; (u = &supers[h % MAX_SUPERS])->start && u->start != r.start; h++)
		if (!u->live && !unused)
			unused = u;
	if (!u->start) {
		if (!unused && ++nsupers > MAX_SUPERS / 2)
			return;
		u = unused ? unused : u;
		*u = (struct super){r.start, 0};
	}
	u->live += change;
	if (u->live)
		r.meta->info |= META_ROOT;
	else
		r.meta->info &= ~META_ROOT;
}

static void forget(uint32_t i) {
	unlist(i);
	if (plumb_subs[i].meta.info & META_LIVE)
		count(plumb_subs[i].start, -1);
	memset(&plumb_subs[i], 0, sizeof plumb_subs[i]);
	plumb_subs[i].next = free_subs;
	free_subs = i;
}

// Sub-blocks that lie anywhere in the memory make way for what begins there now.
static void clear(uintptr_t lo, uintptr_t hi) {
	for (uint32_t i; (i = next_sub(lo, hi));)
		forget(i);
}

static void add(uintptr_t pool, uintptr_t p, size_t size, uint32_t node) {
	clear(p, p + size);
	uint32_t i = free_subs;
	if (i)
		free_subs = plumb_subs[i].next;
	else if (plumb_nsubs + 1 < MAX_SUBS)
		i = ++plumb_nsubs;
	else
		return;
	plumb_subs[i] = (struct plumb_sub){.meta = {node, META_LIVE, 0}, .start = p, .size = size, .pool = pool};
	list(i);
	if (plumb_in_heap(p)) {
		count(p, 1);
		return;
	}
	uintptr_t lo = plumb_subs_lo, hi = lo + plumb_subs_len;
	if (!plumb_subs_len || p < lo)
		lo = p;
	if (p + size > hi)
		hi = p + size;
	plumb_subs_lo = lo;
	plumb_subs_len = hi - lo;
}

// A wrapper around malloc that is named as an allocator: its blocks are malloc's,
// allocated by the wrapper's caller.
static int is_whole_block(uintptr_t p, size_t size, struct plumb_ref *r) {
	return plumb_find(p, r) && r->start == p && size >= r->size && !(r->meta->info & META_ROOT);
}

void plumb_sub_add(uintptr_t pool, uintptr_t p, size_t size, uint32_t node) {
	struct plumb_ref r;
	if (!p)
		return;
	plumb_init();
	if (!pool && is_whole_block(p, size, &r)) {
		r.meta->alloc = node;
		return;
	}
	plumb_lock(&lock);
	if (begin())
		add(pool, p, size ? size : 1, node);
	plumb_unlock(&lock);
}

// Releases one that is live: its words go away.
static void release(uint32_t i, uint64_t event) {
	struct plumb_sub *s = &plumb_subs[i];
	if (!(s->meta.info & META_LIVE))
		return;
	s->meta.info = 0;
	count(s->start, -1);
	for (uintptr_t w = (s->start + 7) & ~7ul; w + 8 <= s->start + s->size; w += 8) {
		uintptr_t v = *(uintptr_t *)w;
		uint32_t j = at(v);
		struct plumb_ref r;
		if (j)
			plumb_subs[j].meta.lost = event;
		else if (plumb_find(v, &r))
			r.meta->lost = event;
	}
}

void plumb_sub_remove(uintptr_t p, uint64_t event) {
	if (!plumb_have_subs)
		return;
	plumb_lock(&lock);
	uint32_t i = at(p);
	if (i && plumb_subs[i].start == p)
		release(i, event);
	plumb_unlock(&lock);
}

void plumb_sub_resize(uintptr_t p, size_t size, uint32_t node) {
	if (!plumb_have_subs)
		return;
	plumb_lock(&lock);
	uint32_t i = at(p);
	if (i && plumb_subs[i].start == p) {
		struct plumb_sub old = plumb_subs[i];
		forget(i);
		add(old.pool, p, size ? size : 1, old.meta.alloc ? old.meta.alloc : node);
	}
	plumb_unlock(&lock);
}

void plumb_sub_move(uintptr_t from, uintptr_t to, size_t size) {
	if (!plumb_have_subs)
		return;
	plumb_lock(&lock);
	uint32_t i = at(from);
	if (i && plumb_subs[i].start == from) {
		struct plumb_sub old = plumb_subs[i];
		forget(i);
		add(old.pool, to, size ? size : 1, old.meta.alloc);
	}
	plumb_unlock(&lock);
}

// ---- events and marks

int plumb_sub_event(uintptr_t p, uint64_t event, int is_use) {
	plumb_lock(&lock);
	uint32_t i = at(p);
	if (i && is_use)
		plumb_subs[i].use = event;
	else if (i)
		plumb_subs[i].meta.lost = event;
	plumb_unlock(&lock);
	return i != 0;
}

int plumb_sub_find(uintptr_t p, struct plumb_ref *out) {
	uint32_t i = at(p);
	if (!i || !(plumb_subs[i].meta.info & META_LIVE))
		return 0;
	struct plumb_sub *s = &plumb_subs[i];
	*out = (struct plumb_ref){&s->meta, &s->use, s->start, s->size};
	return 1;
}

void plumb_sub_gaps(uintptr_t lo, uintptr_t hi, void (*scan)(uintptr_t, uintptr_t)) {
	while (lo < hi) {
		// Far from all of them there is nothing to search.
		int any = plumb_in_heap(lo) || (lo < plumb_subs_lo + plumb_subs_len && plumb_subs_lo < hi);
		uint32_t i = any ? next_sub(lo, hi) : 0;
		uintptr_t to = i ? plumb_subs[i].start : hi;
		if (lo < to)
			scan(lo, to);
		lo = i ? plumb_subs[i].start + plumb_subs[i].size : hi;
	}
}

void plumb_super_released(uintptr_t start, size_t size) {
	plumb_lock(&lock);
	clear(start, start + size);
	plumb_unlock(&lock);
}

// ---- pools

static uint32_t pool_at(uintptr_t pool) {
	for (uint32_t i = 0; i < npools; i++)
		if (pools[i] == pool)
			return i;
	return npools;
}

void plumb_pool_begin(uintptr_t pool) {
	plumb_lock(&lock);
	if (begin() && pool_at(pool) == npools && npools < MAX_POOLS)
		pools[npools++] = pool;
	plumb_unlock(&lock);
}

void plumb_pool_end(uintptr_t pool, uint64_t event) {
	plumb_pool_trim(pool, 0, 0, event);
	plumb_lock(&lock);
	uint32_t i = pool_at(pool);
	if (i < npools)
		pools[i] = pools[--npools];
	plumb_unlock(&lock);
}

void plumb_pool_rename(uintptr_t from, uintptr_t to) {
	plumb_lock(&lock);
	uint32_t p = pool_at(from);
	if (p < npools)
		pools[p] = to;
	for (uint32_t i = 1; i <= plumb_nsubs; i++)
		if (plumb_subs[i].pool == from)
			plumb_subs[i].pool = to;
	plumb_unlock(&lock);
}

// Releases the pool's blocks that lie outside of [lo, hi); cuts those across.
void plumb_pool_trim(uintptr_t pool, uintptr_t lo, uintptr_t hi, uint64_t event) {
	plumb_lock(&lock);
	for (uint32_t i = 1; i <= plumb_nsubs; i++) {
		struct plumb_sub old = plumb_subs[i];
		if (old.pool != pool || !old.start || !(old.meta.info & META_LIVE))
			continue;
		uintptr_t from = old.start < lo ? lo : old.start;
		uintptr_t to = old.start + old.size > hi ? hi : old.start + old.size;
		if (from >= to)
			release(i, event);
		else if (from != old.start || to != old.start + old.size) {
			forget(i);
			add(pool, from, to - from, old.meta.alloc);
		}
	}
	plumb_unlock(&lock);
}

int plumb_pool_exists(uintptr_t pool) {
	plumb_lock(&lock);
	int yes = pool_at(pool) < npools;
	plumb_unlock(&lock);
	return yes;
}
