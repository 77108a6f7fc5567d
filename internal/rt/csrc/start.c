// The beginning and the end of the process.
//
// The check has to be the last thing that runs: after the program's atexit
// handlers and destructors. A handler registered from this library's constructor
// is older than the dynamic linker's own (which runs all destructors), so it runs
// after it. In a static program constructors run later than that; there a
// destructor of the first priority is the last.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "heap.h"
#include "proc.h"

uintptr_t plumb_exit_sp;
uintptr_t plumb_exit_regs[6];
int plumb_exit_nregs;

static int exit_status = -1;

static void at_exit(void *unused, int status) {
	(void)unused;
	static int done;
	if (__atomic_exchange_n(&done, 1, __ATOMIC_ACQ_REL)) return;
	uintptr_t sp = plumb_exit_sp ? plumb_exit_sp : (uintptr_t)__builtin_frame_address(0);
	uint64_t lost = plumb_check_now(REASON_EXIT, status, sp, plumb_exit_regs, plumb_exit_nregs);
	if (lost && lost >= plumb_opt.after_bytes && plumb_opt.exit_code && status == 0) {
		fflush(0);
		syscall(SYS_exit_group, plumb_opt.exit_code); // _exit would report again
	}
}

#ifdef PLUMB_STATIC
__attribute__((destructor(101))) static void last(void) { at_exit(0, exit_status); }
#else
int __cxa_atexit(void (*)(void *), void *, void *);
#endif

__attribute__((constructor(101))) static void first(void) {
	plumb_started = 1;
	plumb_init();
#ifndef PLUMB_STATIC
	if (!plumb_fallback) __cxa_atexit((void (*)(void *))(void (*)(void))at_exit, 0, 0);
#endif
}

// ---- what of the stack is alive at the end

static int (*program_main)(int, char **, char **);

// When main has returned nothing below this frame is alive, and no register.
NOINLINE int plumb_call_main(int argc, char **argv, char **env) {
	int status = program_main(argc, argv, env);
	plumb_exit_sp = (uintptr_t)__builtin_frame_address(0);
	plumb_exit_nregs = 0;
	plumb_exiting = 1;
	exit_status = status;
	return status;
}

typedef int start_main(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

#ifdef PLUMB_STATIC
int __real_main(int, char **, char **);
EXPORT int PLUMB_HOOK(main)(int argc, char **argv, char **env) {
	program_main = __real_main;
	return plumb_call_main(argc, argv, env);
}
#else
EXPORT int __libc_start_main(int (*f)(int, char **, char **), int argc, char **argv, void (*init)(void), void (*fini)(void),
                             void (*rtld_fini)(void), void *stack_end) {
	start_main *next = (start_main *)plumb_next("__libc_start_main");
	program_main = f;
	return next(plumb_call_main, argc, argv, init, fini, rtld_fini, stack_end);
}
#endif

// exit called by the program: the frames above are still there, and what they
// keep in the registers that calls preserve. Once only: the first one counts.
PLUMB_REAL_DECL(void, exit, int);
void plumb_exit_called(int status);
#define ENTRY(name) ENTRY_AS(PLUMB_HOOK(name))
#define ENTRY_AS(name) ENTRY_TEXT(name)
#define ENTRY_TEXT(name)                                                                                            \
	__asm__(".text\n.globl " #name "\n.type " #name ",@function\n" #name ":\n.cfi_startproc\n"                     \
	        "cmpq $0, plumb_exit_sp(%rip)\njne 1f\n"                                                                \
	        "movq %rbx, plumb_exit_regs(%rip)\nmovq %rbp, plumb_exit_regs+8(%rip)\n"                                \
	        "movq %r12, plumb_exit_regs+16(%rip)\nmovq %r13, plumb_exit_regs+24(%rip)\n"                            \
	        "movq %r14, plumb_exit_regs+32(%rip)\nmovq %r15, plumb_exit_regs+40(%rip)\n"                            \
	        "movl $6, plumb_exit_nregs(%rip)\nmovq %rsp, plumb_exit_sp(%rip)\n"                                     \
	        "1: jmp plumb_exit_called\n.cfi_endproc\n.size " #name ",.-" #name "\n");
ENTRY(exit)

void plumb_exit_called(int status) {
	plumb_exiting = 1;
	exit_status = status;
	PLUMB_REAL(exit)(status);
	__builtin_unreachable();
}
