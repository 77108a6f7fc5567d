// Signals whose default action ends the process. The runtime takes them so that
// a report is written first, and then lets the default action happen. The
// program does not see this: where the kernel has our handler, it is told what it
// set itself.
#define _GNU_SOURCE
#include "proc.h"
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

PLUMB_REAL_DECL(int, sigaction, int, const struct sigaction *, struct sigaction *);
PLUMB_REAL_DECL(int, sigaltstack, const stack_t *, stack_t *);

static struct sigaction shown[65]; // what the program set, where the kernel has a handler of ours
static sigset_t interrupts;        // siginterrupt(3): signal(3) does not ask for a restart

static int is_fatal(int sig) {
	switch (sig) {
	case SIGKILL: case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU:
	case SIGCHLD: case SIGCONT: case SIGURG: case SIGWINCH:
	case 32: case 33: // libc's own
	case PLUMB_STOP_SIGNAL:
		return 0;
	}
	return sig > 0 && sig < 65;
}

// A handler of the program that was to be used once. The kernel would put back
// the default action behind our back.
static void once(int sig, siginfo_t *info, void *context) {
	struct sigaction a = shown[sig];
	plumb_default_action(sig);
	if (a.sa_flags & SA_SIGINFO)
		a.sa_sigaction(sig, info, context);
	else
		a.sa_handler(sig);
}

static int is_ours(const struct sigaction *a) {
	return a->sa_sigaction == plumb_fatal || a->sa_sigaction == once || a->sa_sigaction == plumb_check_signal;
}

static int install(int sig, void (*handler)(int, siginfo_t *, void *), int flags) {
	struct sigaction a;
	memset(&a, 0, sizeof a);
	a.sa_sigaction = handler;
	a.sa_flags = SA_SIGINFO | flags;
	sigfillset(&a.sa_mask);
	plumb_strip(&a.sa_mask);
	// A crash while the report is written must reach us, or the process would
	// die with another status.
	sigdelset(&a.sa_mask, SIGSEGV);
	sigdelset(&a.sa_mask, SIGBUS);
	sigdelset(&a.sa_mask, SIGILL);
	sigdelset(&a.sa_mask, SIGFPE);
	return PLUMB_REAL(sigaction)(sig, &a, 0);
}

// The default action, with a report before it.
void plumb_default_action(int sig) {
	memset(&shown[sig], 0, sizeof shown[sig]);
	install(sig, plumb_fatal, SA_ONSTACK | SA_NODEFER);
}

// The default action itself, now.
void plumb_really_default(int sig) {
	struct sigaction a;
	memset(&a, 0, sizeof a);
	a.sa_handler = SIG_DFL;
	PLUMB_REAL(sigaction)(sig, &a, 0);
}

void plumb_signals_init(void) {
	install(PLUMB_STOP_SIGNAL, plumb_stop_handler, SA_ONSTACK | SA_RESTART);
	sigset_t stop;
	sigemptyset(&stop);
	sigaddset(&stop, PLUMB_STOP_SIGNAL);
	// A parent that is no program of ours may have blocked it.
	PLUMB_SYS(SYS_rt_sigprocmask, SIG_UNBLOCK, &stop, 0, 8);
	for (int sig = 1; sig < 65; sig++) {
		struct sigaction a;
		// What the parent ignores stays ignored (nohup).
		if (is_fatal(sig) && PLUMB_REAL(sigaction)(sig, 0, &a) == 0 && a.sa_handler == SIG_DFL && !(a.sa_flags & SA_SIGINFO))
			plumb_default_action(sig);
	}
	if (plumb_opt.signal > 0 && plumb_opt.signal < PLUMB_STOP_SIGNAL)
		install(plumb_opt.signal, plumb_check_signal, SA_RESTART | SA_ONSTACK);
}

EXPORT int PLUMB_HOOK(sigaction)(int sig, const struct sigaction *act, struct sigaction *old) {
	if (sig == PLUMB_STOP_SIGNAL) {
		errno = EINVAL;
		return -1;
	}
	plumb_proc_init();
	struct sigaction before, a;
	if (PLUMB_REAL(sigaction)(sig, 0, &before) != 0)
		return -1;
	int asks_check = before.sa_sigaction == plumb_check_signal;
	if (is_ours(&before))
		before = shown[sig];
	if (act && PLUMB_SYS(SYS_getpid) != plumb_pid) { // the child of vfork: what it sets is not ours to know
		a = *act;
		if (PLUMB_REAL(sigaction)(sig, &a, 0) != 0)
			return -1;
	} else if (act) {
		a = *act; // may be the same memory as old
		plumb_strip(&a.sa_mask);
		struct sigaction was = shown[sig];
		shown[sig] = a;
		int e = 0;
		if (asks_check)
			e = 0; // the user of plumb asked for this signal
		else if (a.sa_handler == SIG_DFL && is_fatal(sig))
			e = install(sig, plumb_fatal, SA_ONSTACK | SA_NODEFER);
		else if (a.sa_handler != SIG_IGN && a.sa_handler != SIG_DFL && a.sa_flags & SA_RESETHAND && is_fatal(sig)) {
			struct sigaction k = a;
			k.sa_flags = (a.sa_flags & ~SA_RESETHAND) | SA_SIGINFO;
			k.sa_sigaction = once;
			e = PLUMB_REAL(sigaction)(sig, &k, 0);
		} else
			e = PLUMB_REAL(sigaction)(sig, &a, 0);
		if (e != 0) {
			shown[sig] = was;
			return e;
		}
	}
	if (old)
		*old = before;
	return 0;
}

static sighandler_t set_handler(int sig, sighandler_t h, int flags, int mask_itself) {
	struct sigaction a, old;
	memset(&a, 0, sizeof a);
	a.sa_handler = h;
	a.sa_flags = flags;
	if (h == SIG_ERR || sig < 1 || sig > 64) {
		errno = EINVAL;
		return SIG_ERR;
	}
	if (mask_itself)
		sigaddset(&a.sa_mask, sig);
	if (PLUMB_HOOK(sigaction)(sig, &a, &old) != 0)
		return SIG_ERR;
	return old.sa_handler;
}

EXPORT sighandler_t PLUMB_HOOK(signal)(int sig, sighandler_t h) {
	return set_handler(sig, h, sigismember(&interrupts, sig) == 1 ? 0 : SA_RESTART, 1);
}
EXPORT sighandler_t PLUMB_HOOK(ssignal)(int sig, sighandler_t h) { return PLUMB_HOOK(signal)(sig, h); }
EXPORT sighandler_t PLUMB_HOOK(bsd_signal)(int sig, sighandler_t h) { return PLUMB_HOOK(signal)(sig, h); }
EXPORT sighandler_t PLUMB_HOOK(sysv_signal)(int sig, sighandler_t h) {
	return set_handler(sig, h, SA_RESETHAND | SA_NODEFER, 0);
}
EXPORT sighandler_t PLUMB_HOOK(__sysv_signal)(int sig, sighandler_t h) {
	return set_handler(sig, h, SA_RESETHAND | SA_NODEFER, 0);
}
EXPORT int PLUMB_HOOK(siginterrupt)(int sig, int on) {
	struct sigaction a;
	if (PLUMB_HOOK(sigaction)(sig, 0, &a) != 0)
		return -1;
	if (on) {
		sigaddset(&interrupts, sig);
		a.sa_flags &= ~SA_RESTART;
	} else {
		sigdelset(&interrupts, sig);
		a.sa_flags |= SA_RESTART;
	}
	return PLUMB_HOOK(sigaction)(sig, &a, 0);
}
EXPORT sighandler_t PLUMB_HOOK(sigset)(int sig, sighandler_t h) {
	sigset_t one, before;
	sigemptyset(&one);
	if (sigaddset(&one, sig) != 0)
		return SIG_ERR;
	struct sigaction old;
	sighandler_t was;
	if (h == SIG_HOLD) {
		if (PLUMB_HOOK(sigaction)(sig, 0, &old) != 0)
			return SIG_ERR;
		was = old.sa_handler;
	} else if ((was = set_handler(sig, h, 0, 0)) == SIG_ERR)
		return SIG_ERR;
	if (sigprocmask(h == SIG_HOLD ? SIG_BLOCK : SIG_UNBLOCK, &one, &before) != 0)
		return SIG_ERR;
	return sigismember(&before, sig) ? SIG_HOLD : was;
}

// ---- stacks for handlers

// Each thread gets a stack on which a fatal signal can be handled even when its
// own is used up. A stack that the program sets takes its place.
void plumb_alt_stack(struct plumb_record *r) {
	stack_t now;
	if (!r->alt)
		r->alt = (uintptr_t)plumb_own(ALT_SIZE);
	if (!r->alt || PLUMB_SYS(SYS_sigaltstack, 0, &now) != 0 || !(now.ss_flags & SS_DISABLE))
		return;
	stack_t mine = {.ss_sp = (void *)r->alt, .ss_size = ALT_SIZE};
	PLUMB_SYS(SYS_sigaltstack, &mine, 0);
}

void plumb_no_alt_stack(void) {
	stack_t now, none = {.ss_flags = SS_DISABLE};
	if (PLUMB_SYS(SYS_sigaltstack, 0, &now) == 0 && plumb_me && (uintptr_t)now.ss_sp == plumb_me->alt)
		PLUMB_SYS(SYS_sigaltstack, &none, 0);
}

EXPORT int PLUMB_HOOK(sigaltstack)(const stack_t *set, stack_t *old) {
	struct plumb_record *r = plumb_me;
	stack_t now;
	int e = PLUMB_REAL(sigaltstack)(set, &now);
	if (e != 0)
		return e;
	if (r && r->alt && (uintptr_t)now.ss_sp == r->alt)
		now = (stack_t){.ss_flags = SS_DISABLE};
	if (old)
		*old = now;
	if (r && set && set->ss_flags & SS_DISABLE)
		plumb_alt_stack(r);
	return 0;
}
