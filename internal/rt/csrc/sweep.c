// The sweep: what was not reached is lost. Lost blocks that others of them point
// to are indirect: their owner's loss is theirs. Blocks alike become groups.
#include <string.h>

#include "check.h"

#define records plumb_losses
static struct plumb_table records_table = {RECORDS_BASE, 0};
static uint32_t nrecords;
static struct plumb_result *result;

// ---- groups: a hash table that stays in the tables from check to check

static struct plumb_group *groups;
static uint32_t *slots, nslots, max_groups;

static int grow_groups(void) {
	uint32_t n = nslots ? nslots * 2 : 4096;
	uint32_t *s = plumb_own(n * sizeof *s);
	struct plumb_group *g = plumb_own(n / 2 * sizeof *g);
	if (!s || !g) return -1;
	if (groups) memcpy(g, groups, result->ngroups * sizeof *g);
	groups = result->groups = g;
	slots = s;
	nslots = n;
	max_groups = n / 2;
	return 0;
}

static uint32_t hash(const struct plumb_group *k) {
	uint64_t h = k->state;
	h = (h ^ k->alloc) * 0x9e3779b97f4a7c15u;
	h = (h ^ k->lost ^ h >> 29) * 0x9e3779b97f4a7c15u;
	h = (h ^ k->use ^ h >> 29) * 0x9e3779b97f4a7c15u;
	h = (h ^ k->owner ^ (uint64_t)k->inherited << 32 ^ h >> 29) * 0x9e3779b97f4a7c15u;
	return h >> 32;
}

static uint32_t *slot_of(const struct plumb_group *k) {
	for (uint32_t h = hash(k);; h++) {
		uint32_t *s = &slots[h & (nslots - 1)];
		struct plumb_group *g = &groups[*s - 1];
		if (!*s || (g->state == k->state && g->alloc == k->alloc && g->lost == k->lost && g->use == k->use && g->owner == k->owner && g->inherited == k->inherited))
			return s;
	}
}

// Index + 1 of the group; 0 if there is no memory for it.
static uint32_t add(const struct plumb_group *k, size_t bytes) {
	if (result->ngroups >= max_groups) {
		if (grow_groups() != 0) return 0;
		for (uint32_t i = 0; i < result->ngroups; i++) *slot_of(&groups[i]) = i + 1;
	}
	uint32_t *s = slot_of(k);
	if (!*s) {
		groups[result->ngroups] = *k;
		*s = ++result->ngroups;
	}
	groups[*s - 1].count++;
	groups[*s - 1].bytes += bytes;
	return *s;
}

// ---- blocks

static void take(struct plumb_ref *r) {
	uint32_t info = r->meta->info;
	r->meta->info = info & ~(META_MARK | META_FLAG);
	if (info & META_ROOT) return;
	if (info & META_MARK || plumb_blind) {
		if (r->meta->lost == KEPT_BY_LIBC) return;
		result->live_blocks++;
		result->live_bytes += r->size;
		struct plumb_group k = {.state = FORGOTTEN, .alloc = r->meta->alloc, .use = plumb_uses ? *r->use : 0, .inherited = plumb_is_inherited(r->start)};
		if (plumb_opt.forgotten) add(&k, r->size);
		return;
	}
	// A thread that is not there in this process may have had it in a register.
	if (plumb_orphaned && plumb_is_inherited(r->start)) return;
	if (plumb_table_need(&records_table, (nrecords + 2ul) * sizeof *records) != 0) return;
	struct plumb_loss *n = &records[++nrecords];
	// Kept until the graph of lost blocks is done: streams have a word to leave out.
	r->meta->info |= META_MARK | (info & META_FLAG);
	*n = (struct plumb_loss){.meta = r->meta, .start = r->start, .size = r->size, .lost = r->meta->lost, .use = plumb_uses ? *r->use : 0};
	r->meta->lost = nrecords;
	result->lost_blocks++;
	result->lost_bytes += r->size;
}

static uint32_t direct_group(struct plumb_loss *r, size_t bytes, uint32_t count) {
	struct plumb_group k = {.state = LOST, .alloc = r->meta->alloc, .lost = r->lost, .use = r->use, .inherited = plumb_is_inherited(r->start)};
	uint32_t g = add(&k, bytes);
	if (g && !count) groups[g - 1].count--;
	return g;
}

void plumb_sweep(struct plumb_result *out) {
	result = out;
	nrecords = 0;
	memset(out, 0, sizeof *out);
	if (nslots) memset(slots, 0, nslots * sizeof *slots);
	out->groups = groups;
	plumb_each(take);
	plumb_find_owners(nrecords);
	for (uint32_t i = 1; i <= nrecords; i++)
		if (records[i].owner == i) direct_group(&records[i], records[i].size, 1);
	for (uint32_t i = 1; i <= nrecords; i++) {
		uint32_t top = plumb_leader_of(i);
		if (top == i) continue;
		struct plumb_group k = {.state = INDIRECT, .alloc = records[i].meta->alloc, .use = records[i].use, .inherited = plumb_is_inherited(records[i].start)};
		k.owner = direct_group(&records[top], 0, 0);
		add(&k, records[i].size);
	}
	for (uint32_t i = 1; i <= nrecords; i++) {
		records[i].meta->lost = records[i].lost;
		records[i].meta->info &= ~(META_MARK | META_FLAG);
	}
}
