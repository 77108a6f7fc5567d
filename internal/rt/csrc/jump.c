// longjmp leaves frames without running their ends: every pointer in them goes
// away at the call of longjmp.
#define _GNU_SOURCE
#include "proc.h"
#include <setjmp.h>

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

// regs: what the caller keeps in registers across calls; sp: its frame's begin.
static NOINLINE void leave(const struct __jmp_buf_tag *env, uintptr_t ra, uintptr_t sp, const uintptr_t *regs, int n) {
	struct plumb_record *me = plumb_me;
	uintptr_t to = target_sp(env);
	// A jump to another stack, or off a signal's own stack, leaves no frames that
	// lie between the two.
	if (!me || sp >= to || sp < me->lo || to > me->hi)
		return;
	uint32_t flags = 0, event[2];
	plumb_event_at(plumb_origin(ra, sp, &flags), PLUMB_UNWIND, event);
	plumb_drop_words((void *)sp, to - sp, event[0], event[1]);
	plumb_drop_words(regs, n * sizeof *regs, event[0], event[1]);
}

// The kept registers are read before anything else in the function uses them.
#define LONGJMP(name)                                                                      \
	EXPORT __attribute__((noreturn)) void PLUMB_HOOK(name)(struct __jmp_buf_tag * env, int value) { \
		register uintptr_t bx __asm__("rbx"), r12 __asm__("r12"), r13 __asm__("r13"),      \
			r14 __asm__("r14"), r15 __asm__("r15");                                         \
		__asm__ volatile("" : "=r"(bx), "=r"(r12), "=r"(r13), "=r"(r14), "=r"(r15));       \
		uintptr_t regs[5] = {bx, r12, r13, r14, r15};                                      \
		leave(env, (uintptr_t)__builtin_return_address(0),                                 \
			(uintptr_t)__builtin_frame_address(0) + 16, regs, 5);                           \
		PLUMB_REAL(name)(env, value);                                                      \
		__builtin_unreachable();                                                           \
	}

LONGJMP(longjmp)
LONGJMP(_longjmp)
LONGJMP(siglongjmp)
LONGJMP(__longjmp_chk)
