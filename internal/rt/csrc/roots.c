// Roots: every writable mapping of the process but the heap, the tables, and
// the dead parts of stacks; the registers of stopped threads.
#define _GNU_SOURCE
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

// What is not scanned, or scanned last.
#define MAX_RANGES 4096
static struct plumb_range system_data[64]; // data of libc and its companions
static int nsystem;
static struct plumb_range own_data;
static struct plumb_range relro[MAX_RANGES];
static int nrelro;

extern char *_IO_list_all __attribute__((weak));

static void module_span(struct dl_phdr_info *info, struct plumb_range *r) {
	r->lo = UINTPTR_MAX;
	r->hi = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		if (ph->p_type != PT_LOAD) continue;
		uintptr_t a = info->dlpi_addr + ph->p_vaddr;
		if (a < r->lo) r->lo = a;
		if (a + ph->p_memsz > r->hi) r->hi = a + ph->p_memsz;
	}
	r->lo &= ~4095ul;
	r->hi = (r->hi + 4095) & ~4095ul;
}

static int within(const struct plumb_range *r, uintptr_t p) { return p >= r->lo && p < r->hi; }

// libstdc++ and libc++abi keep a pool for exceptions that they never release.
static int is_companion(const char *path) {
	const char *name = strrchr(path, '/');
	name = name ? name + 1 : path;
	return strncmp(name, "libstdc++.so", 12) == 0 || strncmp(name, "libc++abi.so", 12) == 0 || strncmp(name, "libc++.so", 9) == 0;
}

static int each_module(struct dl_phdr_info *info, size_t size, void *arg) {
	(void)size, (void)arg;
	struct plumb_range r;
	module_span(info, &r);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		if (ph->p_type == PT_GNU_RELRO && nrelro < MAX_RANGES) {
			uintptr_t a = info->dlpi_addr + ph->p_vaddr;
			relro[nrelro++] = (struct plumb_range){a, a + ph->p_memsz};
		}
	}
	if (!info->dlpi_name || !*info->dlpi_name) return 0; // the program
	if (within(&r, (uintptr_t)&plumb_snapshot_modules)) own_data = r;
	else if (nsystem < 64 && (within(&r, (uintptr_t)gnu_get_libc_version) || is_companion(info->dlpi_name)))
		system_data[nsystem++] = r;
	return 0;
}

void plumb_snapshot_modules(void) {
	nsystem = nrelro = 0;
	dl_iterate_phdr(each_module, 0);
}

// Marks the streams of libc's list: being on it does not make one reachable.
static void flag_streams(int on) {
	if (!&_IO_list_all) return;
	uintptr_t p = (uintptr_t)_IO_list_all;
	for (int i = 0; p && i < 1 << 20; i++) {
		struct plumb_ref r;
		if (plumb_in_heap(p)) {
			if (!plumb_find(p, &r) || r.size < 216) return;
			if (r.start == p) r.meta->info = on ? r.meta->info | META_FLAG : r.meta->info & ~META_FLAG;
		}
		memcpy(&p, (char *)p + FILE_CHAIN, sizeof p);
	}
}

// ---- reading /proc/self/maps

static uintptr_t hex(const char **s) {
	uintptr_t v = 0;
	for (;; (*s)++) {
		char c = **s;
		if (c >= '0' && c <= '9') v = v << 4 | (c - '0');
		else if (c >= 'a' && c <= 'f') v = v << 4 | (c - 'a' + 10);
		else return v;
	}
}

struct scan {
	struct plumb_world *world;
	struct plumb_range live; // the caller's stack: all of it, and where it is alive
	uintptr_t sp;
	int system; // this pass: libc's data only
};

// Sub-blocks are blocks: what they hold counts only if they are reached.
static void scan_around_subs(uintptr_t lo, uintptr_t hi) {
	if (plumb_have_subs) plumb_sub_gaps(lo, hi, plumb_scan_resident);
	else plumb_scan_resident(lo, hi);
}

// Scans [lo, hi) without the pieces that are left out, in order.
static void pieces(struct scan *s, uintptr_t lo, uintptr_t hi) {
	while (lo < hi) {
		uintptr_t cut_lo = hi, cut_hi = hi; // the next piece to leave out
#define CUT(a, b)                                                                                            \
	do {                                                                                                     \
		uintptr_t a_ = (a), b_ = (b);                                                                        \
		if (b_ > lo && a_ < cut_lo && a_ < b_) cut_lo = a_ > lo ? a_ : lo, cut_hi = b_;                      \
	} while (0)
		CUT(TABLES_BASE, HEAP_END);
		CUT(own_data.lo, own_data.hi);
		CUT(s->live.lo, s->sp);
		for (int i = 0; i < nsystem && !s->system; i++) CUT(system_data[i].lo, system_data[i].hi);
		for (int i = 0; i < s->world->nthreads; i++)
			if (s->world->threads[i].stack_lo) CUT(s->world->threads[i].stack_lo, s->world->threads[i].sp - 128); // red zone
		for (int i = 0; i < s->world->nskip; i++) CUT(s->world->skip[i].lo, s->world->skip[i].hi);
		if (&_IO_list_all) CUT((uintptr_t)&_IO_list_all, (uintptr_t)(&_IO_list_all + 1));
		if (cut_lo > hi) cut_lo = hi;
		if (cut_lo > lo) scan_around_subs(lo, cut_lo);
		lo = cut_hi;
	}
#undef CUT
}

static void mapping(struct scan *s, uintptr_t lo, uintptr_t hi, const char *perms, const char *path) {
	if (perms[0] != 'r' || perms[1] != 'w') return;
	// Devices may not be read as memory; their shared memory may.
	if (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm", 8) != 0 && strncmp(path, "/dev/zero", 9) != 0) return;
	if (s->system) {
		for (int i = 0; i < nsystem; i++) {
			uintptr_t a = lo > system_data[i].lo ? lo : system_data[i].lo, b = hi < system_data[i].hi ? hi : system_data[i].hi;
			if (a < b) pieces(s, a, b);
		}
		return;
	}
	for (int i = 0; i < s->world->nthreads; i++) {
		struct plumb_stopped *t = &s->world->threads[i];
		if (t->sp >= lo && t->sp < hi && t->stack_lo < lo) t->stack_lo = lo;
	}
	pieces(s, lo, hi);
}

int plumb_blind;

static void mappings(struct scan *s) {
	int fd = plumb_open_self("/proc/self/maps", O_RDONLY);
	if (fd < 0) {
		plumb_note("cannot read /proc/self/maps: nothing is known of what is lost");
		plumb_blind = 1;
		return;
	}
	char buffer[8192];
	size_t have = 0;
	for (;;) {
		ssize_t n = read(fd, buffer + have, sizeof buffer - 1 - have);
		if (n <= 0) break;
		have += n;
		buffer[have] = 0;
		char *line = buffer, *end;
		while ((end = memchr(line, '\n', buffer + have - line))) {
			*end = 0;
			const char *p = line;
			uintptr_t lo = hex(&p);
			p++;
			uintptr_t hi = hex(&p);
			const char *perms = *p ? p + 1 : p;
			const char *path = strchr(perms, '/');
			mapping(s, lo, hi, perms, path ? path : "");
			line = end + 1;
		}
		have = buffer + have - line;
		memmove(buffer, line, have);
		if (have == sizeof buffer - 1) have = 0; // a line of no use: a path that long
	}
	close(fd);
}

#ifdef PLUMB_STATIC
// Libc's data cannot be told from the program's there: the buffers that it made
// for the standard streams are named one by one.
static void keep_buffers(void) {
	FILE *const streams[] = {stdin, stdout, stderr};
	for (int i = 0; i < 3; i++) {
		struct plumb_ref r;
		const int given = 1; // _IO_USER_BUF: the program's own buffer
		if (!streams[i] || streams[i]->_flags & given || !plumb_find((uintptr_t)streams[i]->_IO_buf_base, &r)) continue;
		r.meta->info |= META_MARK;
		r.meta->lost = KEPT_BY_LIBC;
	}
}
#endif

static void root_block(struct plumb_ref *r) {
	if (r->meta->info & META_ROOT && !(r->meta->info & META_MARK)) {
		r->meta->info |= META_MARK;
		scan_around_subs(r->start, r->start + r->size);
	}
}

void plumb_mark_roots(struct plumb_world *w, uintptr_t sp, const uintptr_t *regs, int nregs) {
	struct scan s = {w, {plumb_stack_low(sp), sp}, sp, 0};
	flag_streams(1);
	plumb_blind = 0;
#ifdef PLUMB_STATIC
	keep_buffers();
#endif
	mappings(&s);
	for (int i = 0; i < nrelro; i++) plumb_scan_resident(relro[i].lo, relro[i].hi);
	if (regs) plumb_scan((uintptr_t)regs, (uintptr_t)(regs + nregs));
	for (int i = 0; i < w->nthreads; i++)
		plumb_scan((uintptr_t)w->threads[i].regs, (uintptr_t)(w->threads[i].regs + w->threads[i].nregs));
	plumb_each(root_block);
	plumb_more_roots(plumb_scan);
	plumb_drain();
	plumb_mark_kept = 1;
	s.system = 1;
	mappings(&s);
	plumb_drain();
	plumb_mark_kept = 0;
}
