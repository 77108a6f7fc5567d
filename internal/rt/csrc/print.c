// The short report on stderr of a program that was started by hand: enough to
// see that something is lost and where. `plumb run` gives the whole.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static void say_frame(const char *lead, uint32_t frame) {
	const char *t;
	if (frame & PC_FRAME) {
		struct plumb_pc *p = &plumb_pcs[frame & ~PC_FRAME];
		struct plumb_module *m = p->module ? &plumb_modules[p->module - 1] : 0;
		Dl_info d;
		const char *name = m && !m->gone && dladdr((void *)(p->pc - 1), &d) && d.dli_sname ? d.dli_sname : "?";
		plumb_say("  %s %s (%s+%x)", lead, name, m && m->path ? m->path : "?", (uint64_t)(m ? p->pc - m->base : p->pc));
		return;
	}
	const struct plumb_site *s = plumb_site_of(frame, &t);
	if (s) plumb_say("  %s %s (%s:%d)", lead, t + s->function, t + s->file, (int)s->line);
}

static void say_group(struct plumb_group *g) {
	plumb_say("%l bytes in %l blocks lost", g->bytes, g->count);
	uint32_t site = (uint32_t)g->lost, ctx = g->lost >> 32;
	if (site == AT_NODE) site = ctx ? plumb_nodes[ctx].frame : 0;
	if (site >= PLUMB_FIRST_SITE) say_frame("lost at", site);
	const char *lead = "allocated at";
	int depth = 0;
	for (uint32_t n = g->alloc; n && depth < 8; n = plumb_nodes[n].parent, depth++) {
		say_frame(lead, plumb_nodes[n].frame);
		lead = "called from";
	}
}

void plumb_print(struct plumb_result *r) {
	uint64_t shown = 0, forgotten = 0;
	for (uint32_t i = 0; i < r->ngroups; i++) {
		if (r->groups[i].state == FORGOTTEN) forgotten += r->groups[i].count;
		if (r->groups[i].state == LOST && plumb_opt.lost && shown++ < 20) say_group(&r->groups[i]);
	}
	if (shown > 20) plumb_say("and %l more places", shown - 20);
	if (r->lost_blocks && plumb_opt.lost) plumb_say("%l bytes in %l blocks lost in all", r->lost_bytes, r->lost_blocks);
	if (forgotten) plumb_say("%l bytes in %l blocks are still reachable", r->live_bytes, r->live_blocks);
}
