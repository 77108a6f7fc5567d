// Reports that a signal asks for: the process is about to die, or its user wants
// to know what is lost so far. And those the program asks for.
#define _GNU_SOURCE
#include "proc.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { REPORT_STACK = 1 << 20 };

struct plumb_range plumb_self_vector;
static uintptr_t report_stack;
static _Atomic int dying; // thread that writes the last report
static _Atomic int on_it; // thread that uses the report stack
static siginfo_t cause;   // what it dies of

void plumb_crash_after_fork(void) { on_it = dying = 0; }
void plumb_crash_init(void) { report_stack = (uintptr_t)plumb_own(REPORT_STACK); }

// Waits so long for another thread to be done with it. 0 if it is not, or if the
// caller itself is on it.
static int take_report_stack(long nanoseconds) {
	int self = PLUMB_SYS(SYS_gettid);
	for (long end = plumb_now() + nanoseconds;;) {
		int nobody = 0;
		if (atomic_compare_exchange_strong(&on_it, &nobody, self))
			return 1;
		if (nobody == self || plumb_now() >= end)
			return 0;
		plumb_pause(1000000);
	}
}

// A handler may be on a stack of two pages that the program provided.
static void on_report_stack(void (*fn)(void *), void *arg) {
	__asm__ volatile(
		"movq %%rsp, %%rbx\n\t"
		"movq %0, %%rsp\n\t"
		"callq *%1\n\t"
		"movq %%rbx, %%rsp"
		:
		: "r"((report_stack + REPORT_STACK) & ~63ul), "r"(fn), "D"(arg)
		: "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "memory", "cc",
		  "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7",
		  "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
	atomic_store(&on_it, 0);
}

struct request {
	enum plumb_reason reason;
	int number;
	const ucontext_t *context;
};

static void report(void *arg) {
	struct request *q = arg;
	const greg_t *g = q->context->uc_mcontext.gregs;
	uintptr_t regs[15];
	static const int which[15] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
	for (int i = 0; i < 15; i++)
		regs[i] = g[which[i]];
	uintptr_t fp = (uintptr_t)q->context->uc_mcontext.fpregs;
	plumb_self_vector = (struct plumb_range){fp, fp ? fp + 512 : 0};
	plumb_check_now(q->reason, q->number, g[REG_RSP] - 128, regs, 15);
	plumb_self_vector = (struct plumb_range){0, 0};
}

// Lets the default action of the signal happen when the handler returns: the
// state that a core file shows is that of the interrupted code.
static void die_of(siginfo_t *info, ucontext_t *uc) {
	plumb_really_default(info->si_signo);
	int pid = PLUMB_SYS(SYS_getpid), tid = PLUMB_SYS(SYS_gettid);
	PLUMB_SYS(SYS_rt_tgsigqueueinfo, pid, tid, info->si_signo, info);
	sigdelset(&uc->uc_sigmask, info->si_signo);
}

// The process must end even if the report does not: the signal comes again after
// a while, and then its default action does. So does a second one from outside:
// somebody who presses Ctrl-C twice means it.
static void watch(int sig) {
	enum { SECONDS = 120 };
	plumb_really_default(sig);
	uint64_t set = (uint64_t)1 << (sig - 1);
	PLUMB_SYS(SYS_rt_sigprocmask, SIG_UNBLOCK, &set, 0, 8);
	struct sigevent e;
	memset(&e, 0, sizeof e);
	e.sigev_notify = SIGEV_SIGNAL;
	e.sigev_signo = sig;
	int timer;
	struct itimerspec t = {{0, 0}, {SECONDS, 0}};
	if (PLUMB_SYS(SYS_timer_create, CLOCK_MONOTONIC, &e, &timer) == 0)
		PLUMB_SYS(SYS_timer_settime, timer, 0, &t, 0);
}

void plumb_fatal(int sig, siginfo_t *info, void *context) {
	int self = PLUMB_SYS(SYS_gettid), nobody = 0;
	// The child of vfork has our memory but is another process.
	if (PLUMB_SYS(SYS_getpid) != plumb_pid) {
		die_of(info, context);
		return;
	}
	if (!atomic_compare_exchange_strong(&dying, &nobody, self)) {
		if (nobody != self)
			for (plumb_held++;;) // another thread reports already; it ends us
				plumb_pause(1000000000);
		// A crash in the report itself: the heap is in ruins. What was written
		// counts, and the process ends as it was about to.
		die_of(&cause, context);
		return;
	}
	cause = *info;
	watch(sig);
	plumb_impatient = 1; // this thread may have interrupted itself with a lock held
	struct request q = {REASON_CRASH, sig, context};
	if (sig == SIGABRT)
		q.reason = REASON_ABORT;
	if (take_report_stack(10000000000))
		on_report_stack(report, &q);
	die_of(info, context);
}

// ---- checks while the program runs

// The interrupted code may hold a lock of ours, and will not let go of it before
// this handler returns; it may have a block in its hands that nothing holds yet; or another thread checks already. Then the check comes a
// little later.
static void later(int sig) {
	struct sigevent e;
	memset(&e, 0, sizeof e);
	e.sigev_notify = SIGEV_SIGNAL;
	e.sigev_signo = sig;
	int timer;
	static _Atomic int have_timer, id;
	if (!atomic_load(&have_timer)) {
		if (PLUMB_SYS(SYS_timer_create, CLOCK_MONOTONIC, &e, &timer) != 0)
			return;
		atomic_store(&id, timer);
		atomic_store(&have_timer, 1);
	}
	struct itimerspec t = {{0, 0}, {0, 1000000}};
	PLUMB_SYS(SYS_timer_settime, atomic_load(&id), 0, &t, 0);
}

void plumb_check_signal(int sig, siginfo_t *info, void *context) {
	(void)info;
	if (PLUMB_SYS(SYS_getpid) != plumb_pid)
		return;
	int e = errno;
	plumb_restart_call(context);
	if (plumb_held == 0 && !plumb_in_runtime(context) && take_report_stack(0)) {
		struct request q = {REASON_SIGNAL, sig, context};
		on_report_stack(report, &q);
	} else {
		later(sig);
	}
	errno = e;
}

// plumb_client_check is for the program to call, at a place where it knows what should
// be alive: see plumb.h.
EXPORT NOINLINE unsigned long plumb_client_check(void) {
	plumb_proc_init();
	__builtin_unwind_init(); // the caller's registers are on the stack from here on
	uintptr_t sp;
	__asm__ volatile("movq %%rsp, %0" : "=r"(sp));
	return plumb_check_now(REASON_CHECK, 0, sp, 0, 0);
}

// ---- ends without exit handlers, by option

PLUMB_REAL_DECL(void, _exit, int);
PLUMB_REAL_DECL(void, quick_exit, int);
static int quick_status = -1;

static NOINLINE void report_exit(int status) {
	if (!plumb_opt.exit || PLUMB_SYS(SYS_getpid) != plumb_pid)
		return;
	__builtin_unwind_init();
	uintptr_t sp;
	__asm__ volatile("movq %%rsp, %0" : "=r"(sp));
	plumb_check_now(REASON_EXIT, status, sp, 0, 0);
}

EXPORT void PLUMB_HOOK(_exit)(int status) {
	report_exit(status);
	PLUMB_REAL(_exit)(status);
	__builtin_unreachable();
}
EXPORT void PLUMB_HOOK(_Exit)(int status) {
	report_exit(status);
	PLUMB_REAL(_exit)(status);
	__builtin_unreachable();
}

// Its own handlers run first, so the report is one of them: the last.
static void at_quick(void) { report_exit(quick_status); }
void plumb_quick_exit_init(void) {
	if (plumb_opt.exit)
		at_quick_exit(at_quick);
}
EXPORT void PLUMB_HOOK(quick_exit)(int status) {
	quick_status = status;
	PLUMB_REAL(quick_exit)(status);
	__builtin_unreachable();
}
