// longjmp and pthread_exit leave frames without running their ends: every pointer
// in them goes away at the call that does not come back.
#define _GNU_SOURCE
#include "proc.h"
#include <setjmp.h>
#include <unwind.h>

PLUMB_REAL_DECL(void, longjmp, struct __jmp_buf_tag *, int);
PLUMB_REAL_DECL(void, _longjmp, struct __jmp_buf_tag *, int);
PLUMB_REAL_DECL(void, siglongjmp, struct __jmp_buf_tag *, int);
PLUMB_REAL_DECL(void, __longjmp_chk, struct __jmp_buf_tag *, int);

enum { SAVED_SP = 6 }; // word of the jump buffer; libc rotates it and mixes in a secret

static uintptr_t target_sp(const struct __jmp_buf_tag *env) {
	uintptr_t v = (uintptr_t)env->__jmpbuf[SAVED_SP];
	__asm__("rorq $17, %0\n\txorq %%fs:0x30, %0" : "+r"(v) : : "cc");
	return v;
}

// Whose frame a block was lost with: the innermost function on the stack in whose
// calls it was allocated, which is where the program kept it. The place in that
// function is the call that does not come back. Nodes above node are its callers.
static void place(uint32_t node, uint32_t alloc, enum plumb_what what, uint32_t event[2]) {
	for (uint32_t up = plumb_nodes[alloc].parent;; up = plumb_nodes[up].parent) {
		for (uint32_t n = node; n; n = plumb_nodes[n].parent)
			if (plumb_nodes[n].parent == up && !(plumb_nodes[n].frame & PC_FRAME)) {
				plumb_event_at(n, what, event);
				return;
			}
		if (!up)
			break;
	}
	plumb_event_at(node, what, event);
}

static void drop_word(uintptr_t p, uint32_t node, enum plumb_what what) {
	struct plumb_ref r;
	uint32_t event[2];
	if (!plumb_in_heap(p) || !plumb_find(p, &r))
		return;
	place(node, r.meta->alloc, what, event);
	plumb_drop((void *)p, event[0], event[1]);
}

void plumb_leave_frames(uint32_t node, uintptr_t lo, uintptr_t hi, const uintptr_t *regs, int n, enum plumb_what what) {
	for (uintptr_t w = (lo + 7) & ~7ul; w + 8 <= hi; w += 8)
		drop_word(*(uintptr_t *)w, node, what);
	for (int i = 0; i < n; i++)
		drop_word(regs[i], node, what);
}

struct frame { uintptr_t sp, end; };

static _Unwind_Reason_Code frame_end(struct _Unwind_Context *c, void *arg) {
	struct frame *f = arg;
	f->end = _Unwind_GetCFA(c);
	return f->end > f->sp ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// regs: what the caller keeps in registers across calls; sp: its frame's begin.
static NOINLINE void leave(const struct __jmp_buf_tag *env, uintptr_t ra, uintptr_t sp, const uintptr_t *regs, int n) {
	struct plumb_record *me = plumb_me;
	uintptr_t to = target_sp(env);
	// A jump to another stack, or off a signal's own stack, leaves no frames that
	// lie between the two.
	if (!me || sp > to || sp < me->lo || to > me->hi)
		return;
	uint32_t flags = 0;
	uint32_t node = plumb_origin(ra, sp, &flags);
	// The compiler may have put all the functions in between into the one that set
	// the jump: then their variables are in its frame.
	if (sp == to) {
		struct frame f = {sp, sp};
		_Unwind_Backtrace(frame_end, &f);
		to = f.end < me->hi ? f.end : sp;
	}
	plumb_leave_frames(node, sp, to, regs, n, PLUMB_UNWIND);
}

// The kept registers are read before anything else in the function uses them.
#define KEPT                                                                     \
	register uintptr_t bx __asm__("rbx"), r12 __asm__("r12"), r13 __asm__("r13"), \
		r14 __asm__("r14"), r15 __asm__("r15");                                   \
	__asm__ volatile("" : "=r"(bx), "=r"(r12), "=r"(r13), "=r"(r14), "=r"(r15)); \
	uintptr_t regs[5] = {bx, r12, r13, r14, r15}

#define LONGJMP(name)                                                                                     \
	EXPORT __attribute__((noreturn)) void PLUMB_HOOK(name)(struct __jmp_buf_tag * env, int value) {        \
		KEPT;                                                                                             \
		leave(env, (uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16, regs, 5); \
		PLUMB_REAL(name)(env, value);                                                                     \
		__builtin_unreachable();                                                                          \
	}

LONGJMP(longjmp)
LONGJMP(_longjmp)
LONGJMP(siglongjmp)
LONGJMP(__longjmp_chk)

PLUMB_REAL_DECL(void, pthread_exit, void *);
PLUMB_REAL_DECL(void, thrd_exit, int);

static NOINLINE void end_thread(uintptr_t ra, uintptr_t sp, const uintptr_t *regs, int n) {
	uint32_t flags = 0;
	plumb_proc_init();
	struct plumb_record *me = plumb_me;
	if (!me)
		return;
	uint32_t node = plumb_origin(ra, sp, &flags), event[2];
	plumb_event_at(node, PLUMB_THREAD_END, event);
	me->ended_at = event[0];
	me->ended_in = event[1];
	if (sp >= me->lo && sp < me->hi)
		plumb_leave_frames(node, sp, me->is_main || me->fs > me->hi ? me->hi : me->fs, regs, n, PLUMB_THREAD_END);
}

EXPORT void PLUMB_HOOK(pthread_exit)(void *result) {
	KEPT;
	end_thread((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16, regs, 5);
	PLUMB_REAL(pthread_exit)(result);
	__builtin_unreachable();
}
EXPORT void PLUMB_HOOK(thrd_exit)(int result) {
	KEPT;
	end_thread((uintptr_t)__builtin_return_address(0), (uintptr_t)__builtin_frame_address(0) + 16, regs, 5);
	PLUMB_REAL(thrd_exit)(result);
	__builtin_unreachable();
}
