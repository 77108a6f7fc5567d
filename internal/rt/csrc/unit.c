// Translation units built with plumb, and the sites they bring.
#include <string.h>

#include "heap.h"

#define MAX_UNITS 65536
struct unit {
	uint32_t base, nsites;
	const struct plumb_site *sites;
	const char *text;
	uint64_t ntext;
	const struct plumb_unit *from; // 0 once its module is gone
};
static struct unit *units; // by base, ascending
static uint32_t nunits;
static uint32_t next_base = PLUMB_FIRST_SITE;
static struct plumb_lock lock;

void plumb_lock_units(void) { plumb_lock(&lock); }
void plumb_unlock_units(void) { plumb_unlock(&lock); }

static int same(const struct unit *a, const struct plumb_unit *b) {
	return a->nsites == b->nsites && a->ntext == b->ntext &&
	       memcmp(a->sites, b->sites, b->nsites * sizeof *b->sites) == 0 && memcmp(a->text, b->text, b->ntext) == 0;
}

EXPORT void plumb_unit_begin(struct plumb_unit *u) {
	plumb_init();
	if (plumb_fallback) return;
	if (u->abi != PLUMB_ABI) {
		plumb_say("a module was built for runtime %d, this is %d: build it again", (int)u->abi, PLUMB_ABI);
		return;
	}
	plumb_code_begin((uintptr_t)u);
	plumb_lock(&lock);
	if (!units) units = plumb_own(MAX_UNITS * sizeof *units);
	struct unit *at = 0;
	// A module that comes back after dlclose keeps its numbers, so that opening
	// and closing one in a loop does not use them up.
	for (uint32_t i = 0; i < nunits && !at; i++)
		if (!units[i].from && same(&units[i], u)) at = &units[i];
	if (!at && units && nunits < MAX_UNITS && u->nsites < PC_FRAME - next_base) {
		at = &units[nunits];
		*at = (struct unit){next_base, u->nsites, u->sites, u->text, u->ntext, u};
		next_base += u->nsites;
		__atomic_store_n(&nunits, nunits + 1, __ATOMIC_RELEASE);
	}
	if (at) {
		at->from = u;
		*u->base = at->base;
	}
	plumb_unlock(&lock);
}

EXPORT void plumb_unit_end(struct plumb_unit *u) {
	// At exit modules stay mapped; only dlclose takes the tables away.
	if (plumb_fallback || plumb_exiting || u->abi != PLUMB_ABI) return;
	plumb_lock(&lock);
	for (uint32_t i = 0; i < nunits; i++) {
		if (units[i].from != u) continue;
		struct unit *at = &units[i];
		if (at->sites == u->sites) {
			struct plumb_site *sites = plumb_own(u->nsites * sizeof *sites);
			char *text = plumb_own(u->ntext);
			if (sites && text) {
				memcpy(sites, u->sites, u->nsites * sizeof *sites);
				memcpy(text, u->text, u->ntext);
				at->sites = sites;
				at->text = text;
			} else {
				at->nsites = 0;
			}
		}
		at->from = 0;
	}
	plumb_unlock(&lock);
	plumb_code_end((uintptr_t)u);
}

const struct plumb_site *plumb_site_of(uint32_t id, const char **text) {
	uint32_t lo = 0, hi = __atomic_load_n(&nunits, __ATOMIC_ACQUIRE);
	while (lo < hi) {
		uint32_t mid = (lo + hi) / 2;
		if (units[mid].base + units[mid].nsites <= id) lo = mid + 1;
		else hi = mid;
	}
	if (lo >= nunits || id < units[lo].base || id >= PC_FRAME) return 0;
	*text = units[lo].text;
	return &units[lo].sites[id - units[lo].base];
}
