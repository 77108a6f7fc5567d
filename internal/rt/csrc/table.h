// Tables that grow in place, each at its own address of the tables' stretch.
#ifndef PLUMB_TABLE_H
#define PLUMB_TABLE_H

#include "rt.h"

#define UNITS_BASE OWN_BASE
#define LARGES_BASE (OWN_BASE + (1ul << 32))
#define NODES_BASE (OWN_BASE + (2ul << 32))
#define PCS_BASE (OWN_BASE + (3ul << 32))
#define STACK_BASE (OWN_BASE + (1ul << 36))
#define RECORDS_BASE (OWN_BASE + (2ul << 36))
#define OWN_REST (OWN_BASE + (4ul << 36)) // what plumb_own hands out

struct plumb_table {
	uintptr_t base;
	size_t committed;
};
// Makes the first bytes of the table usable. 0 on success.
static inline int plumb_table_need(struct plumb_table *t, size_t bytes) {
	if (likely(bytes <= t->committed)) return 0;
	size_t to = t->committed + t->committed / 2;
	if (to < bytes) to = bytes;
	to = (to + 65535) & ~65535ul;
	if (plumb_commit(t->base + t->committed, t->base + to) != 0) return -1;
	t->committed = to;
	return 0;
}

#endif
