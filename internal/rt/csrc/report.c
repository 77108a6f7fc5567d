// The writer of report files: see docs/runtime-report.md. Uses write(2) alone:
// the program may be about to crash, and its stdio is not ours to use.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static const char *const whats[] = {"call",   "call",    "overwrite",  "scope", "return", "jump", "dropped", "clear",
                                    "unwind", "release", "thread-end", "read",  "write",  "pass", "give"};

// ---- a buffered file

static int fd;
static char buffer[16384];
static size_t filled;

static void flush(void) {
	for (size_t done = 0; done < filled;) {
		ssize_t n = write(fd, buffer + done, filled - done);
		if (n < 0 && errno == EINTR) continue;
		if (n <= 0) break;
		done += n;
	}
	filled = 0;
}

static void byte(char c) {
	if (filled == sizeof buffer) flush();
	buffer[filled++] = c;
}

static void raw(const char *s) {
	while (*s) byte(*s++);
}

static void text(const char *s) { // a field
	byte('\t');
	for (; s && *s; s++) {
		if (*s == '\\' || *s == '\t' || *s == '\n') {
			byte('\\');
			byte(*s == '\\' ? '\\' : *s == '\t' ? 't' : 'n');
		} else {
			byte(*s);
		}
	}
}

static void digits(uint64_t v, unsigned base) {
	char d[24];
	int n = 24;
	do {
		d[--n] = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	while (n < 24) byte(d[n++]);
}

static void num(uint64_t v) {
	byte('\t');
	digits(v, 10);
}

static void hexa(uint64_t v) {
	byte('\t');
	digits(v, 16);
}

// ---- what the block lines name

static uint8_t *node_seen; // by node
static uint32_t *frames;   // ids, a hash set
static uint32_t nframes, frame_slots;
static struct plumb_group **order;
static size_t scratch;
static uintptr_t scratch_at;
static struct plumb_table scratch_table = {RECORDS_BASE + (1ul << 36) + (1ul << 35), 0};

// Memory for the time of one report.
static void *temporary(size_t bytes) {
	bytes = (bytes + 15) & ~15ul;
	if (plumb_table_need(&scratch_table, scratch + bytes) != 0) return 0;
	void *p = (void *)(scratch_at + scratch);
	scratch += bytes;
	memset(p, 0, bytes);
	return p;
}

static int known_frame(uint32_t f) {
	const char *t;
	return f & PC_FRAME ? (f & ~PC_FRAME) <= plumb_npcs : plumb_site_of(f, &t) != 0;
}

static void see_frame(uint32_t f) {
	if (!f || nframes >= frame_slots / 2) return;
	for (uint32_t h = f * 0x9e3779b1u;; h++) {
		uint32_t *s = &frames[h & (frame_slots - 1)];
		if (*s == f) return;
		if (!*s) {
			*s = f;
			nframes++;
			return;
		}
	}
}

// Frames of units that were not registered yet have no names: their callers stand for them.
static uint32_t visible(uint32_t node) {
	while (node && !known_frame(plumb_nodes[node].frame)) node = plumb_nodes[node].parent;
	return node;
}

static void see_node(uint32_t node) {
	for (node = visible(node); node && !node_seen[node]; node = visible(plumb_nodes[node].parent)) {
		node_seen[node] = 1;
		see_frame(plumb_nodes[node].frame);
	}
}

// An event's frame and the context of its function.
static void event_of(uint64_t e, uint32_t *frame, uint32_t *node) {
	*frame = (uint32_t)e;
	*node = e >> 32;
	if (*frame == AT_NODE) {
		*node = visible(*node);
		*frame = *node ? plumb_nodes[*node].frame : 0;
		*node = *node ? plumb_nodes[*node].parent : 0;
	}
	if (!known_frame(*frame)) *frame = *node = 0;
	*node = visible(*node);
}

static void see_event(uint64_t e) {
	uint32_t frame, node;
	event_of(e, &frame, &node);
	see_frame(frame);
	see_node(node);
}

static void write_event(uint64_t e) {
	uint32_t frame, node;
	event_of(e, &frame, &node);
	num(frame);
	num(node);
}

// ---- sections

static void write_process(enum plumb_reason reason, int number) {
	static const char *const reasons[] = {"exit", "check", "signal", "crash", "abort"};
	raw("plumb-report\t1\nprocess");
	num(getpid());
	num(getppid());
	text(plumb_exe());
	text(reasons[reason]);
	if (number < 0) {
		raw("\t-1");
	} else {
		num(number);
	}
	byte('\n');
}

static void write_module(uint32_t i) {
	struct plumb_module *m = &plumb_modules[i - 1];
	raw("module");
	num(i);
	hexa(m->base);
	hexa(m->hi);
	byte('\t');
	for (uint32_t k = 0; k < m->nid; k++) {
		byte("0123456789abcdef"[m->id[k] >> 4]);
		byte("0123456789abcdef"[m->id[k] & 15]);
	}
	text(m->path);
	byte('\n');
}

static uintptr_t loaded[1024];
static int nloaded;

static int list_module(struct dl_phdr_info *info, size_t size, void *arg) {
	(void)size, (void)arg;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD && nloaded < 1024) {
			loaded[nloaded++] = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
			break;
		}
	return 0;
}

static void write_code(void) {
	nloaded = 0;
	dl_iterate_phdr(list_module, 0);
	for (int i = 0; i < nloaded; i++) plumb_module_of(loaded[i]); // recorded, if not yet
	for (uint32_t i = 1; i <= plumb_nmodules; i++) {
		raw("code");
		num(plumb_modules[i - 1].has_units);
		text(plumb_modules[i - 1].path);
		byte('\n');
	}
}

static void write_frame(uint32_t f) {
	if (f & PC_FRAME) {
		struct plumb_pc *p = &plumb_pcs[f & ~PC_FRAME];
		struct plumb_module *m = p->module ? &plumb_modules[p->module - 1] : 0;
		raw("pc");
		num(f);
		num(p->module);
		hexa(m ? p->pc - m->base : p->pc);
		Dl_info d;
		text(m && !m->gone && dladdr((void *)(p->pc - 1), &d) && d.dli_sname ? d.dli_sname : "");
	} else {
		const char *t;
		const struct plumb_site *s = plumb_site_of(f, &t);
		raw("site");
		num(f);
		text(s->what < sizeof whats / sizeof *whats ? whats[s->what] : "call");
		text(t + s->file);
		num(s->line);
		num(s->column);
		text(t + s->function);
		text(t + s->holder);
	}
	byte('\n');
}

static void write_group(struct plumb_group *g, struct plumb_group *all) {
	static const char *const states[] = {"lost", "indirect", "forgotten"};
	raw("block");
	text(states[g->state]);
	num(g->count);
	num(g->bytes);
	num(visible(g->alloc));
	write_event(g->lost);
	write_event(g->use);
	num(g->owner ? all[g->owner - 1].line : 0);
	num(g->inherited);
	byte('\n');
}

static const char *notes[32];
static uint32_t nnotes;

void plumb_note(const char *t) {
	uint32_t i = __atomic_fetch_add(&nnotes, 1, __ATOMIC_RELAXED);
	if (i < 32) notes[i] = t;
}

static int open_report(void) {
	static int serial;
	int dir = plumb_out_dir();
	if (dir < 0) return -1;
	for (int tries = 0; tries < 1000; tries++) {
		char name[64], *p = name + sizeof name;
		*--p = 0;
		for (const char *s = "bmulp."; *s; s++) *--p = *s;
		for (int v = ++serial; v; v /= 10) *--p = '0' + v % 10;
		*--p = '-';
		for (int v = getpid(); v; v /= 10) *--p = '0' + v % 10;
		int f = openat(dir, p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (f >= 0 || errno != EEXIST) return f;
	}
	return -1;
}

static void write_file(struct plumb_result *r, enum plumb_reason reason, int number) {
	write_process(reason, number);
	uint32_t line = 0;
	for (int state = LOST; state <= FORGOTTEN; state++)
		for (uint32_t i = 0; i < r->ngroups; i++)
			if (r->groups[i].state == (uint32_t)state && (state == FORGOTTEN ? plumb_opt.forgotten : plumb_opt.lost)) {
				r->groups[i].line = line + 1;
				order[line++] = &r->groups[i];
			}
	for (uint32_t i = 0; i < line; i++) {
		see_node(order[i]->alloc);
		see_event(order[i]->lost);
		see_event(order[i]->use);
	}
	uint8_t *module_seen = temporary(plumb_nmodules + 1);
	for (uint32_t i = 0; i < frame_slots && module_seen; i++) {
		uint32_t m = frames[i] & PC_FRAME ? plumb_pcs[frames[i] & ~PC_FRAME].module : 0;
		if (m && !module_seen[m]++) write_module(m);
	}
	write_code();
	for (uint32_t i = 0; i < frame_slots; i++)
		if (frames[i]) write_frame(frames[i]);
	for (uint32_t n = 1; n <= plumb_nnodes; n++) {
		if (!node_seen[n]) continue;
		raw("node");
		num(n);
		num(visible(plumb_nodes[n].parent));
		num(plumb_nodes[n].frame);
		byte('\n');
	}
	for (uint32_t i = 0; i < line; i++) write_group(order[i], r->groups);
	raw("total");
	num(r->live_blocks);
	num(r->live_bytes);
	num(r->lost_blocks);
	num(r->lost_bytes);
	byte('\n');
	for (uint32_t i = 0; i < nnotes && i < 32; i++) {
		raw("note");
		text(notes[i]);
		byte('\n');
	}
	nnotes = 0;
	raw("end\n");
	flush();
}

void plumb_write_report(struct plumb_result *r, enum plumb_reason reason, int number) {
	scratch = 0;
	scratch_at = scratch_table.base;
	uint32_t nodes = plumb_nnodes;
	node_seen = temporary(nodes + 1);
	order = temporary((r->ngroups + 1) * sizeof *order);
	frame_slots = 1024;
	while (frame_slots / 4 < nodes + 3 * r->ngroups) frame_slots *= 2;
	frames = temporary(frame_slots * sizeof *frames);
	nframes = 0;
	if (!node_seen || !order || !frames) return;
	if (plumb_out_fd < 0) {
		plumb_print(r);
		return;
	}
	fd = open_report();
	if (fd < 0) {
		plumb_say("cannot write a report into %s", plumb_opt.out);
		return;
	}
	write_file(r, reason, number);
	close(fd);
}
