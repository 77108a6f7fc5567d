// Sites that no unit has: a call in the program at which something else happens
// than a call. A thread's variables end where the thread was created, frames are
// left where longjmp was called. They form a unit of their own that grows.
#include "proc.h"
#include <string.h>

enum { MAX_DERIVED = 4096, TEXT = 1 << 20 };
static struct plumb_unit unit;
static struct plumb_site *sites;
static char *text;
static uint32_t base, nsites, ntext;
static uint32_t *from; // the site each is derived from
static struct plumb_lock lock;

static uint32_t add_text(const char *s) {
	uint32_t n = strlen(s) + 1;
	if (n == 1 || ntext + n > TEXT)
		return 0;
	memcpy(text + ntext, s, n);
	ntext += n;
	return ntext - n;
}

static int begin(void) {
	sites = plumb_own(MAX_DERIVED * sizeof *sites);
	from = plumb_own(MAX_DERIVED * sizeof *from);
	text = plumb_own(TEXT);
	if (!sites || !from || !text)
		return 0;
	ntext = 1; // offset 0 is the empty text
	unit = (struct plumb_unit){PLUMB_ABI, MAX_DERIVED, sites, text, TEXT, &base};
	plumb_unit_begin(&unit);
	return base != 0;
}

uint32_t plumb_site_as(uint32_t site, enum plumb_what what) {
	const char *t;
	const struct plumb_site *s = plumb_site_of(site, &t);
	if (!s || s->what == what)
		return site;
	plumb_lock(&lock);
	uint32_t answer = site;
	if (base || begin()) {
		uint32_t i = 0;
		while (i < nsites && !(from[i] == site && sites[i].what == what))
			i++;
		if (i == nsites && i < MAX_DERIVED) {
			sites[i] = (struct plumb_site){add_text(t + s->file), add_text(t + s->function), 0, s->line, s->column, what};
			from[i] = site;
			nsites++;
		}
		if (i < nsites)
			answer = base + i;
	}
	plumb_unlock(&lock);
	return answer;
}

void plumb_event_at(uint32_t node, enum plumb_what what, uint32_t event[2]) {
	event[0] = AT_NODE;
	event[1] = node;
	if (node == 0 || plumb_nodes[node].frame & PC_FRAME)
		return;
	event[0] = plumb_site_as(plumb_nodes[node].frame, what);
	event[1] = plumb_nodes[node].parent;
}
