// Modules (the program and its libraries), the frames of code without sites,
// and where an allocation comes from when its caller has no sites.
//
// A module is recorded when a frame or a unit first names it, and stays after
// dlclose: its frames are reported by offset.
#define _GNU_SOURCE
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>
#include <unwind.h>

#include "heap.h"
#include "table.h"

#define MAX_MODULES 8192
struct plumb_module plumb_modules[MAX_MODULES];
uint32_t plumb_nmodules;
uint32_t plumb_age = 1;
int plumb_started;
uintptr_t plumb_code_lo, plumb_code_len;

struct plumb_pc *plumb_pcs = (struct plumb_pc *)PCS_BASE;
uint32_t plumb_npcs; // 1..plumb_npcs
static struct plumb_table pcs_table = {PCS_BASE, 0};
static struct { uint32_t *slots, mask; } pc_hash;
static struct plumb_lock lock;
static uintptr_t linker_lo, linker_hi;
static uintptr_t own_lo, own_len;

void plumb_lock_nodes(void), plumb_unlock_nodes(void), plumb_lock_units(void), plumb_unlock_units(void);

void plumb_lock_code(void) {
	plumb_lock_units();
	plumb_lock(&lock);
	plumb_lock_nodes();
}
void plumb_unlock_code(void) {
	plumb_unlock_nodes();
	plumb_unlock(&lock);
	plumb_unlock_units();
}

struct search {
	uintptr_t pc;
	struct plumb_module *out;
	int found;
};

static void read_id(struct plumb_module *m, const ElfW(Phdr) *ph, uintptr_t base) {
	const char *p = (const char *)(base + ph->p_vaddr), *end = p + ph->p_memsz;
	while (p + sizeof(ElfW(Nhdr)) <= end) {
		const ElfW(Nhdr) *n = (const ElfW(Nhdr) *)p;
		const char *name = p + sizeof *n, *desc = name + ((n->n_namesz + 3) & ~3u);
		if (n->n_type == NT_GNU_BUILD_ID && n->n_namesz == 4 && memcmp(name, "GNU", 4) == 0) {
			m->nid = n->n_descsz < sizeof m->id ? n->n_descsz : sizeof m->id;
			memcpy(m->id, desc, m->nid);
			return;
		}
		p = desc + ((n->n_descsz + 3) & ~3u);
	}
}

static int look(struct dl_phdr_info *info, size_t size, void *arg) {
	(void)size;
	struct search *s = arg;
	uintptr_t lo = UINTPTR_MAX, hi = 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		if (ph->p_type != PT_LOAD) continue;
		uintptr_t a = info->dlpi_addr + ph->p_vaddr;
		if (a < lo) lo = a;
		if (a + ph->p_memsz > hi) hi = a + ph->p_memsz;
	}
	if (s->pc < lo || s->pc >= hi) return 0;
	struct plumb_module *m = s->out;
	m->base = info->dlpi_addr;
	m->lo = lo;
	m->hi = hi;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_NOTE && !m->nid) read_id(m, &info->dlpi_phdr[i], info->dlpi_addr);
	const char *name = info->dlpi_name ? info->dlpi_name : "";
	if (!*name) name = plumb_exe();
	size_t n = strlen(name) + 1;
	m->path = plumb_own(n);
	if (m->path) memcpy(m->path, name, n);
	s->found = 1;
	return 1;
}

static uint32_t known_module(uintptr_t pc) {
	uint32_t n = __atomic_load_n(&plumb_nmodules, __ATOMIC_ACQUIRE);
	for (uint32_t i = n; i > 0; i--) {
		struct plumb_module *m = &plumb_modules[i - 1];
		if (!m->gone && pc >= m->lo && pc < m->hi) return i;
	}
	return 0;
}

uint32_t plumb_module_of(uintptr_t pc) {
	uint32_t i = known_module(pc);
	if (i || plumb_nmodules >= MAX_MODULES) return i;
	struct plumb_module m;
	memset(&m, 0, sizeof m);
	struct search s = {pc, &m, 0};
	dl_iterate_phdr(look, &s); // before the lock: the linker has its own
	if (!s.found) return 0;
	plumb_lock(&lock);
	i = known_module(pc);
	if (!i) {
		plumb_modules[plumb_nmodules] = m;
		i = plumb_nmodules + 1;
		__atomic_store_n(&plumb_nmodules, i, __ATOMIC_RELEASE);
	}
	plumb_unlock(&lock);
	return i;
}

void plumb_code_begin(uintptr_t at) {
	uint32_t i = plumb_module_of(at);
	if (!i) return;
	struct plumb_module *m = &plumb_modules[i - 1];
	m->has_units = 1;
	if (!plumb_code_len && !plumb_mixed) {
		plumb_code_lo = m->lo;
		plumb_code_len = m->hi - m->lo;
	}
}

// The module's last unit to end: it goes away. What was known of its addresses
// does not hold for a module that is mapped there later.
void plumb_code_end(uintptr_t at) {
	uint32_t i = known_module(at);
	if (!i) return;
	struct plumb_module *m = &plumb_modules[i - 1];
	m->gone = 1;
	if (plumb_code_lo == m->lo) plumb_code_len = 0;
	__atomic_add_fetch(&plumb_age, 1, __ATOMIC_RELEASE);
}

// Frames of modules that went away: known ones are not found again.
uint32_t plumb_pc_frame(uintptr_t pc) {
	uint32_t module = plumb_module_of(pc);
	plumb_lock(&lock);
	if (!pc_hash.slots || plumb_npcs >= pc_hash.mask / 2) {
		uint32_t mask = pc_hash.slots ? pc_hash.mask * 2 + 1 : 1023;
		uint32_t *slots = plumb_own((mask + 1ul) * sizeof *slots);
		if (slots) {
			for (uint32_t i = 1; i <= plumb_npcs; i++) {
				uint32_t h = plumb_pcs[i].pc * 0x9e3779b97f4a7c15u >> 32;
				while (slots[h & mask]) h++;
				slots[h & mask] = i;
			}
			pc_hash.slots = slots;
			pc_hash.mask = mask;
		}
	}
	uint32_t h = pc * 0x9e3779b97f4a7c15u >> 32, i;
	for (; (i = pc_hash.slots[h & pc_hash.mask]); h++)
		if (plumb_pcs[i].pc == pc && plumb_pcs[i].module == module) break;
	if (!i && plumb_table_need(&pcs_table, (plumb_npcs + 2ul) * sizeof *plumb_pcs) == 0) {
		i = ++plumb_npcs;
		plumb_pcs[i].pc = pc;
		plumb_pcs[i].module = module;
		pc_hash.slots[h & pc_hash.mask] = i;
	}
	plumb_unlock(&lock);
	return i ? PC_FRAME | i : 0;
}

// ---- where an allocation comes from

static int has_sites(uintptr_t pc) {
	uint32_t i = known_module(pc);
	return i && plumb_modules[i - 1].has_units;
}

static int in_linker(uintptr_t pc) {
	if (unlikely(!linker_hi)) {
		uintptr_t base = getauxval(AT_BASE), hi = 1;
		if (base) {
			const ElfW(Ehdr) *e = (const ElfW(Ehdr) *)base;
			const ElfW(Phdr) *ph = (const ElfW(Phdr) *)(base + e->e_phoff);
			for (int i = 0; i < e->e_phnum; i++)
				if (ph[i].p_type == PT_LOAD && base + ph[i].p_vaddr + ph[i].p_memsz > hi)
					hi = base + ph[i].p_vaddr + ph[i].p_memsz;
			linker_lo = base;
		}
		linker_hi = hi;
	}
	return pc >= linker_lo && pc < linker_hi;
}

// The runtime's own code, which is no part of a stack.
static void find_own(void) {
#ifdef PLUMB_STATIC
	own_lo = (uintptr_t)__start_plumb_text;
	own_len = __stop_plumb_text - __start_plumb_text;
#else
	uint32_t i = plumb_module_of((uintptr_t)find_own);
	if (i) {
		own_lo = plumb_modules[i - 1].lo;
		own_len = plumb_modules[i - 1].hi - own_lo;
		return;
	}
	own_len = 1;
#endif
}

struct walk {
	uintptr_t from; // the return address to begin at
	uint32_t begun, n, max;
	uint32_t sites; // met a frame of instrumented code
	uintptr_t pcs[64], slots[64];
};

static _Unwind_Reason_Code step(struct _Unwind_Context *c, void *arg) {
	struct walk *w = arg;
	uintptr_t pc = _Unwind_GetIP(c);
	if (!w->begun && pc != w->from) return _URC_NO_REASON;
	w->begun = 1;
	if (!pc || _Unwind_GetRegionStart(c) == (uintptr_t)plumb_call_main) return _URC_END_OF_STACK;
	if (pc - own_lo < own_len) return _URC_NO_REASON; // functions that the runtime stands before
	if (has_sites(pc)) {
		w->sites = 1;
		return _URC_END_OF_STACK;
	}
	w->slots[w->n] = _Unwind_GetCFA(c) - sizeof pc; // of the frame that was called
	w->pcs[w->n++] = pc;
	return w->n == w->max ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static inline uint64_t mix(uint64_t sum, uintptr_t pc) { return (sum ^ pc) * 0x9e3779b97f4a7c15u; }

// The same call with the same stack pointer may come by another way of the same
// depth. It is the same way if all return addresses are still where they were.
static inline int same_way(const struct plumb_origin *o) {
	uint64_t sum = 0;
	for (uint32_t i = 0; i < o->n; i++) sum = mix(sum, *(const uintptr_t *)(o->sp + o->slot[i]));
	return sum == o->pcs;
}

// What the way looked like; slots that do not hold the address are not compared.
static void keep_way(struct plumb_origin *o, const struct walk *w) {
	for (uint32_t i = 0; i < w->n && o->n < ORIGIN_FRAMES; i++) {
		uintptr_t at = w->slots[i];
		if (at < o->sp || at - o->sp > UINT32_MAX || *(const uintptr_t *)at != w->pcs[i]) continue;
		o->slot[o->n++] = (uint32_t)(at - o->sp);
		o->pcs = mix(o->pcs, w->pcs[i]);
	}
}

NOINLINE uint32_t plumb_origin(uintptr_t ra, uintptr_t sp, uint32_t *flags) {
	*flags = 0;
	struct plumb_thread *t = plumb_thread();
	uint32_t ctx = plumb_ctx;
	if (in_linker(ra)) {
		*flags = META_ROOT;
		return ctx;
	}
	if (!t || t->busy) return ctx;
#ifdef PLUMB_STATIC
	// What libc allocates at start and for a new thread is its own, as the dynamic
	// linker's would be; and stacks cannot be walked before constructors run.
	if (!plumb_started || plumb_creating) {
		*flags = META_ROOT;
		return ctx;
	}
#endif
	if (unlikely(!own_len)) find_own();
	uint64_t key = (ra ^ sp * 31 ^ (uint64_t)ctx * 0x85ebca6b) * 0x9e3779b97f4a7c15u;
	struct plumb_origin *o = &t->origins[key >> (64 - __builtin_ctz(ORIGINS))];
	uint32_t age = plumb_age + t->epoch;
	if (likely(o->ra == ra && o->sp == sp && o->ctx == ctx && o->age == age && same_way(o))) return o->node;
	uint32_t node = ctx;
	*o = (struct plumb_origin){.ra = ra, .sp = sp, .ctx = ctx, .age = age};
	if (!has_sites(ra)) {
		struct walk w;
		w.from = ra;
		w.begun = w.n = w.sites = 0;
		w.max = plumb_opt.depth < 1 ? 1 : plumb_opt.depth > 64 ? 64 : plumb_opt.depth;
		t->busy = 1;
		_Unwind_Backtrace(step, &w);
		// Frames are children of the instrumented code that led here; without any
		// of it on the stack what plumb_ctx holds is of a call that has returned.
		node = w.sites || w.n == w.max || !w.n ? ctx : 0;
		if (!w.n) node = plumb_node(node, plumb_pc_frame(ra));
		for (uint32_t i = w.n; i > 0; i--) node = plumb_node(node, plumb_pc_frame(w.pcs[i - 1]));
		keep_way(o, &w);
		t->busy = 0;
	}
	o->node = node;
	return node;
}
