// Which stacks are alive while the world is stopped. All writable mappings are
// roots, so what matters here is what of them is not: the unused part of a stack,
// and the stacks of threads that ended, which libc keeps for the next thread with
// all they held.
#define _GNU_SOURCE
#include "proc.h"
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { MAX_STOPPED = 1 << 16, MAX_SKIP = 1 << 17 };
static struct plumb_stopped *stopped;
static struct plumb_range *skip;
static int nskip;
static uintptr_t caller_sp; // of the thread that checks

void plumb_stacks_init(void) {
	stopped = plumb_own(MAX_STOPPED * sizeof *stopped);
	skip = plumb_own(MAX_SKIP * sizeof *skip);
}

static void add_skip(uintptr_t lo, uintptr_t hi) {
	if (lo < hi && nskip < MAX_SKIP)
		skip[nskip++] = (struct plumb_range){lo, hi};
}

// The thread's record. One that has done all that a thread does at its end may
// still be there for a while; but its number may also be another's by now.
static struct plumb_record *record_by_tid(int tid) {
	struct plumb_record *ended = 0;
	for (uint32_t i = 0; i < atomic_load(&plumb_nrecords); i++) {
		struct plumb_record *r = &plumb_records[i];
		if (r->tid != tid || atomic_load(&r->state) != RUNNING)
			continue;
		if (!r->ended)
			return r;
		ended = r;
	}
	return ended;
}

// Is the stack still libc's, for a later thread? libc may have given it back and
// the program may have got the same addresses: then the thread's own record at
// the top, which names itself, is gone.
static int still_there(const struct plumb_record *r) {
	unsigned char in_core;
	if (PLUMB_SYS(SYS_mincore, r->fs & ~4095ul, 1, &in_core) != 0)
		return 0;
	const uintptr_t *tcb = (const uintptr_t *)r->fs;
	return tcb[0] == r->fs && tcb[2] == r->fs;
}

static int used_by_task(const struct plumb_record *r) {
	const struct plumb_task *t;
	for (int i = 0; (t = plumb_task_at(i)); i++)
		if (plumb_task_state(t) != TASK_GONE && (t->tid == r->tid || (t->fs >= r->lo && t->fs < r->hi)))
			return 1;
	return plumb_me == r;
}

// Thread-local variables of modules that were loaded later lie in blocks that the
// linker allocated, which are roots; the table of an ended thread still lists
// them: a word in front tells how many there are, each has two words.
static void skip_dynamic(uintptr_t table) {
	struct plumb_ref r;
	if (!plumb_find(table, &r) || table - r.start < 16)
		return;
	const uintptr_t *t = (const uintptr_t *)table;
	uintptr_t n = t[-2];
	for (uintptr_t i = 1; i <= n && table + (2 * i + 2) * 8 <= r.start + r.size; i++) {
		struct plumb_ref b;
		if (plumb_in_heap(t[2 * i]) && plumb_find(t[2 * i], &b) && b.meta->info & META_ROOT)
			b.meta->info |= META_MARK; // reached, as far as the marker can tell
	}
}

// A thread that ended. Its stack is dead, and so are its thread-local variables.
// Libc's record of it holds the result until it is joined, and always the table
// of its thread-local blocks (the word behind the first), which libc uses again.
static void skip_dead(struct plumb_record *r) {
	if (r->is_main) { // called pthread_exit
		add_skip(r->lo, r->hi);
		return;
	}
	if (!r->own_stack)
		return;
	if (!still_there(r)) {
		atomic_store(&r->state, 0);
		return;
	}
	add_skip(r->lo, r->fs);
	skip_dynamic(((const uintptr_t *)r->fs)[1]);
	if (atomic_load(&r->let_go))
		add_skip(r->fs + 16, r->hi);
}

void plumb_stop_world(struct plumb_world *w) {
	memset(w, 0, sizeof *w);
	w->unstopped = plumb_tasks_stop();
	if (w->unstopped)
		plumb_note("a thread did not stop in time: all of its stack counts as in use, what it had in registers does not");
	w->threads = stopped;
	w->skip = skip;
	nskip = 0;
	const struct plumb_task *t;
	for (int i = 0; (t = plumb_task_at(i)); i++) {
		if (plumb_task_state(t) != TASK_STOPPED || w->nthreads == MAX_STOPPED)
			continue;
		struct plumb_stopped *s = &stopped[w->nthreads++];
		memset(s, 0, sizeof *s);
		s->tid = t->tid;
		memcpy(s->regs, t->regs, sizeof t->regs);
		s->nregs = sizeof t->regs / sizeof t->regs[0];
		// Nothing is known of a stack that is not the thread's own: a coroutine's,
		// or that of a thread which the program made by clone. All of it counts.
		struct plumb_record *r = record_by_tid(t->tid);
		if (r && t->sp >= r->lo && t->sp < r->hi) {
			s->sp = t->sp;
			s->stack_lo = r->lo;
			s->stack_hi = r->hi;
		}
	}
	for (uint32_t i = 0; i < atomic_load(&plumb_nrecords); i++) {
		struct plumb_record *r = &plumb_records[i];
		if (atomic_load(&r->state) == RUNNING && !used_by_task(r))
			skip_dead(r);
	}
	w->nskip = nskip;
}

uintptr_t plumb_stack_low(uintptr_t sp) {
	struct plumb_record *r = plumb_me;
	caller_sp = sp;
	return r && sp >= r->lo && sp < r->hi ? r->lo : sp;
}

void plumb_start_world(struct plumb_world *w) {
	(void)w;
	plumb_tasks_start();
}

// A handler of the program may run on the stack that we gave the thread.
static void scan_alt(struct plumb_record *r, uintptr_t sp, void (*scan)(uintptr_t, uintptr_t)) {
	if (r && r->alt && sp >= r->alt && sp < r->alt + ALT_SIZE)
		scan(sp - 128, r->alt + ALT_SIZE);
}

void plumb_more_roots(void (*scan)(uintptr_t lo, uintptr_t hi)) {
	scan(plumb_self_vector.lo, plumb_self_vector.hi);
	scan_alt(plumb_me, caller_sp, scan);
	const struct plumb_task *t;
	for (int i = 0; (t = plumb_task_at(i)); i++) {
		if (plumb_task_state(t) != TASK_STOPPED)
			continue;
		scan(t->vector.lo, t->vector.hi);
		struct plumb_record *r = record_by_tid(t->tid);
		scan_alt(r, t->sp, scan);
	}
	// The argument of a thread that has not begun is held by nothing else.
	for (uint32_t i = 0; i < atomic_load(&plumb_nrecords); i++)
		if (atomic_load(&plumb_records[i].state))
			scan((uintptr_t)&plumb_records[i].arg, (uintptr_t)(&plumb_records[i].arg + 1));
}
