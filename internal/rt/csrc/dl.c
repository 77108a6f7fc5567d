// dlclose: what only the variables of a module hold that goes away is lost there.
// Which modules go away is known only afterwards, so the pointers in the data of
// all that could are noted before. Modules themselves are recorded before they
// go, for the frames in them.
#define _GNU_SOURCE
#include "proc.h"
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>

PLUMB_REAL_DECL(int, dlclose, void *);

enum { MAX_HELD = 1 << 18, MAX_SPANS = 1024 };
struct held { uintptr_t pointer; uint32_t span; };
static struct held *held;
static uint32_t nheld;
static struct { uintptr_t base, lo; } spans[MAX_SPANS];
static uint32_t nspans;
static _Atomic int busy; // destructors may call dlclose: the outer call notes all
static unsigned long long removed;

static int note(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	removed = info->dlpi_subs;
	if (!info->dlpi_name || !*info->dlpi_name || nspans == MAX_SPANS)
		return 0; // the program itself
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t lo = info->dlpi_addr + ph->p_vaddr;
		if (ph->p_type != PT_LOAD)
			continue;
		if (ph->p_flags & PF_X)
			plumb_module_of(lo);
		if (!(ph->p_flags & PF_W))
			continue;
		spans[nspans].base = info->dlpi_addr;
		spans[nspans].lo = lo;
		for (uintptr_t w = (lo + 7) & ~7ul; w + 8 <= lo + ph->p_memsz && nheld < MAX_HELD; w += 8)
			if (plumb_in_heap(*(uintptr_t *)w))
				held[nheld++] = (struct held){*(uintptr_t *)w, nspans};
		if (++nspans == MAX_SPANS)
			break;
	}
	return 0;
}

// Clears those that are still there.
static int see(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	if (info->dlpi_subs == removed)
		nspans = nheld = 0; // nothing went away
	for (uint32_t i = 0; i < nspans; i++)
		if (spans[i].base == info->dlpi_addr)
			spans[i].lo = 0;
	return nspans == 0;
}

EXPORT int PLUMB_HOOK(dlclose)(void *handle) {
	plumb_proc_init();
	uint32_t flags = 0, event[2];
	int no = 0;
	if (plumb_fallback || !atomic_compare_exchange_strong(&busy, &no, 1))
		return PLUMB_REAL(dlclose)(handle);
	if (!held)
		held = plumb_own(MAX_HELD * sizeof *held);
	uint32_t node = plumb_origin((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16, &flags);
	plumb_event_at(node, PLUMB_RELEASE, event);
	nspans = nheld = 0;
	if (held)
		dl_iterate_phdr(note, 0);
	int e = PLUMB_REAL(dlclose)(handle);
	dl_iterate_phdr(see, 0);
	int gone = 0;
	for (uint32_t i = 0; i < nheld; i++)
		if (spans[held[i].span].lo)
			plumb_drop((void *)held[i].pointer, event[0], event[1]);
	for (uint32_t i = 0; i < nspans; i++)
		for (uint32_t m = 0; spans[i].lo && m < plumb_nmodules; m++)
			if (plumb_modules[m].base == spans[i].base && !plumb_modules[m].gone)
				gone = plumb_modules[m].gone = 1;
	if (gone)
		__atomic_add_fetch(&plumb_age, 1, __ATOMIC_RELEASE);
	atomic_store(&busy, 0);
	return e;
}
