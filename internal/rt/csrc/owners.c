// Which of the lost blocks are direct, and who owns the others.
//
// A lost block is direct if no other lost block refers to it. Of blocks that
// refer to each other in a cycle, and that nothing else refers to, one is taken
// as direct: the one whose loss tells most.
#include <string.h>

#include "check.h"

#define records plumb_losses

static struct plumb_table work_table = {STACK_BASE + (1ul << 35), 0};
static uint32_t *const work = (uint32_t *)(STACK_BASE + (1ul << 35));
static size_t nwork;

// Calls f with each lost block that the memory refers to, until f returns 0.
static int references(uintptr_t lo, uintptr_t hi, int (*f)(uint32_t from, uint32_t to), uint32_t from) {
	while (unlikely(plumb_nguards) && lo < hi) {
		uintptr_t end = plumb_readable(&lo, hi);
		if (end == hi) break;
		if (!references(lo, end, f, from)) return 0;
		lo = end;
	}
	for (const uintptr_t *w = (const uintptr_t *)lo; (uintptr_t)(w + 1) <= hi; w++) {
		struct plumb_ref r;
		if (!plumb_in_heap(*w) && likely(*w - plumb_subs_lo >= plumb_subs_len)) continue;
		if (plumb_target(*w, &r) && r.meta->info & META_MARK && !f(from, r.meta->lost)) return 0;
	}
	return 1;
}

static int each_reference(uint32_t i, int (*f)(uint32_t from, uint32_t to), uint32_t from) {
	struct plumb_loss *r = &records[i];
	if (!(r->meta->info & META_FLAG)) return references(r->start, r->start + r->size, f, from);
	return references(r->start, r->start + FILE_CHAIN, f, from) && references(r->start + FILE_CHAIN + 8, r->start + r->size, f, from);
}

static int follow(uint32_t leader, uint32_t to) {
	if (!records[to].owner) {
		if (plumb_table_need(&work_table, (nwork + 1) * sizeof *work) != 0) return 1;
		records[to].owner = leader;
		work[nwork++] = to;
	} else if (records[to].owner == to && to != leader) {
		records[to].owner = leader; // was thought direct
	} else if (to == leader) {
		records[to].cyclic = 1; // or refers to itself, which does no harm
	}
	return 1;
}

uint32_t plumb_leader_of(uint32_t i) {
	uint32_t top = i;
	while (records[top].owner != top) top = records[top].owner;
	while (records[i].owner != top) { // shorten the way for the next
		uint32_t next = records[i].owner;
		records[i].owner = top;
		i = next;
	}
	return top;
}

// ---- cycles

static int leads_back(uint32_t from, uint32_t to) {
	(void)from;
	return !records[to].in_cycle; // stop at the first that does
}

static uint32_t counts[256];
static uint32_t *count_of(uint64_t lost) { return &counts[(lost * 0x9e3779b97f4a7c15u) >> 56]; }

static uint32_t depth_of(uint64_t lost) {
	uint32_t d = 0;
	for (uint32_t n = lost >> 32; n; n = plumb_nodes[n].parent) d++;
	return d;
}

// Members that were lost alike were let go while others still led to them: by
// a variable of the function that made each of them. The odd one had the last
// reference from outside. With nothing to choose, the outermost loss: references
// move outwards as functions return.
static int tells_more(const struct plumb_loss *a, const struct plumb_loss *b) {
	if (!a->lost != !b->lost) return a->lost != 0;
	uint32_t x = *count_of(a->lost), y = *count_of(b->lost);
	if (x != y) return x < y;
	return depth_of(a->lost) < depth_of(b->lost);
}

// members: all that leader owns, through next. Blocks that lead back to it are in
// its cycle; they are found in a few rounds, back and forth, as lists are long.
static void choose(uint32_t leader, uint32_t *members, uint32_t n) {
	records[leader].in_cycle = 1;
	int changed = 1;
	for (int round = 0; round < 8 && changed; round++) {
		changed = 0;
		for (uint32_t k = 0; k < n; k++) {
			uint32_t i = members[round % 2 ? n - 1 - k : k];
			if (!records[i].in_cycle && !each_reference(i, leads_back, i)) records[i].in_cycle = changed = 1;
		}
	}
	memset(counts, 0, sizeof counts);
	for (uint32_t k = 0; k < n; k++)
		if (records[members[k]].in_cycle) ++*count_of(records[members[k]].lost);
	uint32_t best = leader;
	for (uint32_t k = 0; k < n; k++)
		if (records[members[k]].in_cycle && tells_more(&records[members[k]], &records[best])) best = members[k];
	records[leader].owner = records[best].owner = best;
}

static void choose_in_cycles(uint32_t n) {
	// Members by leader: counted, then placed.
	if (plumb_table_need(&work_table, (n + 1ul) * sizeof *work) != 0) return;
	for (uint32_t i = 1; i <= n; i++) records[plumb_leader_of(i)].members++;
	uint32_t at = 0;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t m = records[i].members;
		records[i].first = at;
		at += m;
	}
	for (uint32_t i = 1; i <= n; i++) work[records[plumb_leader_of(i)].first++] = i;
	for (uint32_t i = 1; i <= n; i++) {
		uint32_t m = records[i].members;
		if (m > 1 && records[i].cyclic) choose(i, work + records[i].first - m, m);
	}
}

// Each block that none before it reached leads all that it reaches; one that a
// later leader reaches was not direct after all. What stays is one leader for
// each group of blocks that only they themselves refer to.
void plumb_find_owners(uint32_t n) {
	nwork = 0;
	for (uint32_t i = 1; i <= n; i++) {
		if (records[i].owner) continue;
		records[i].owner = i;
		for (uint32_t at = i;; at = work[--nwork]) {
			each_reference(at, follow, i);
			if (!nwork) break;
		}
	}
	choose_in_cycles(n);
}
