// Contexts: a tree of calls, each node a parent and the frame of a call.
//
// One hash table finds children. Readers take no lock: entries and nodes never
// change once their number is written, and a table that grew stays readable.
#include "heap.h"
#include "table.h"

EXPORT _Thread_local uint32_t plumb_ctx TLS_FAST;
EXPORT _Thread_local uint32_t plumb_track TLS_FAST;

struct plumb_node *plumb_nodes = (struct plumb_node *)NODES_BASE;
uint32_t plumb_nnodes; // nodes 1..plumb_nnodes

struct entry { uint32_t ctx, frame, node, unused; }; // four to a cache line
struct hash {
	uint32_t mask, used;
	struct entry entries[] __attribute__((aligned(64)));
};
static struct hash *hash;
static struct plumb_table nodes_table = {NODES_BASE, 0};
static struct plumb_lock lock;

// Beyond MANY nodes a chain takes a function once, not only a call site; at MOST
// the callers are left out. Programs of deep mutual recursion get there.
#define MANY (1u << 16)
#define MOST (1u << 24)

void plumb_lock_nodes(void) { plumb_lock(&lock); }
void plumb_unlock_nodes(void) { plumb_unlock(&lock); }

static struct hash *make(uint32_t slots) {
	struct hash *h = plumb_own(sizeof *h + (size_t)slots * sizeof(struct entry));
	if (h) h->mask = slots - 1;
	return h;
}

void plumb_context_init(void) {
	plumb_table_need(&nodes_table, 4096 * sizeof *plumb_nodes);
	__atomic_store_n(&hash, make(4096), __ATOMIC_RELEASE);
}

static inline uint32_t mix(uint32_t ctx, uint32_t frame) {
	uint64_t x = ((uint64_t)ctx << 32 | frame) * 0x9e3779b97f4a7c15u;
	return x >> 32 ^ x >> 17;
}

static inline uint32_t lookup(const struct hash *h, uint32_t ctx, uint32_t frame) {
	for (uint32_t i = mix(ctx, frame);; i++) {
		const struct entry *e = &h->entries[i & h->mask];
		uint32_t n = __atomic_load_n(&e->node, __ATOMIC_ACQUIRE);
		if (n == 0) return 0;
		if (e->ctx == ctx && e->frame == frame) return n;
	}
}

static void put(struct hash *h, uint32_t ctx, uint32_t frame, uint32_t node) {
	uint32_t i = mix(ctx, frame);
	while (h->entries[i & h->mask].node) i++;
	struct entry *e = &h->entries[i & h->mask];
	e->ctx = ctx;
	e->frame = frame;
	__atomic_store_n(&e->node, node, __ATOMIC_RELEASE);
	h->used++;
}

static void insert(uint32_t ctx, uint32_t frame, uint32_t node) {
	struct hash *h = hash;
	if (h->used >= h->mask / 2) {
		struct hash *big = make((h->mask + 1) * 2);
		if (!big) return;
		for (uint32_t i = 0; i <= h->mask; i++) {
			struct entry *e = &h->entries[i];
			if (e->node) put(big, e->ctx, e->frame, e->node);
		}
		__atomic_store_n(&hash, big, __ATOMIC_RELEASE);
		h = big;
	}
	put(h, ctx, frame, node);
}

static int same_function(uint32_t a, uint32_t b) {
	const char *ta, *tb;
	const struct plumb_site *x = plumb_site_of(a, &ta), *y = plumb_site_of(b, &tb);
	return x && y && ta == tb && x->function == y->function;
}

static uint32_t create(uint32_t ctx, uint32_t frame) {
	for (uint32_t n = ctx; n; n = plumb_nodes[n].parent)
		if (plumb_nodes[n].frame == frame) return n; // recursion
	if (plumb_nnodes >= MANY)
		for (uint32_t n = ctx; n; n = plumb_nodes[n].parent)
			if (same_function(plumb_nodes[n].frame, frame)) ctx = plumb_nodes[n].parent;
	if (plumb_nnodes >= MOST) ctx = 0;
	uint32_t known = lookup(hash, ctx, frame);
	if (known) return known;
	uint32_t n = plumb_nnodes + 1;
	if (plumb_table_need(&nodes_table, (size_t)(n + 1) * sizeof *plumb_nodes) != 0) return ctx ? ctx : n - 1;
	plumb_nodes[n].parent = ctx;
	plumb_nodes[n].frame = frame;
	__atomic_store_n(&plumb_nnodes, n, __ATOMIC_RELEASE);
	return n;
}

static NOINLINE uint32_t slow(uint32_t ctx, uint32_t frame) {
	plumb_init();
	if (plumb_fallback) return 1;
	plumb_lock(&lock);
	uint32_t n = lookup(hash, ctx, frame);
	if (!n) {
		uint32_t before = plumb_nnodes;
		n = create(ctx, frame);
		uint32_t parent = n > before ? plumb_nodes[n].parent : ctx;
		insert(ctx, frame, n);
		if (parent != ctx) insert(parent, frame, n);
	}
	plumb_unlock(&lock);
	return n;
}

uint32_t plumb_node(uint32_t parent, uint32_t frame) {
	const struct hash *h = __atomic_load_n(&hash, __ATOMIC_ACQUIRE);
	uint32_t n = h ? lookup(h, parent, frame) : 0;
	return likely(n) ? n : slow(parent, frame);
}

EXPORT __attribute__((preserve_most)) uint32_t plumb_child(uint32_t ctx, uint32_t site, uint64_t *cache) {
	uint32_t n = plumb_node(ctx, site);
	// One store: another thread at the same call site reads both halves together.
	__atomic_store_n(cache, (uint64_t)n << 32 | ctx, __ATOMIC_RELAXED);
	return n;
}
