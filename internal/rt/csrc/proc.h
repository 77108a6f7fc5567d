// What the parts of the runtime that deal with processes, threads and signals
// offer to the rest of it.
#ifndef PLUMB_PROC_H
#define PLUMB_PROC_H

#include "rt.h"
#include "sys.h"
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>

// A function of libc that the runtime stands in front of. In the shared runtime
// it has libc's name and finds the original with dlsym; linked statically, the
// linker's --wrap (wraps.txt) leads callers here and __real_ to the original.
#ifdef PLUMB_STATIC
#define PLUMB_HOOK(name) __wrap_##name
#define PLUMB_REAL(name) __real_##name
#define PLUMB_REAL_DECL(result, name, ...) result __real_##name(__VA_ARGS__)
#else
#define PLUMB_HOOK(name) name
#define PLUMB_REAL(name) ((name##_type *)plumb_real(&name##_real, #name))
#define PLUMB_REAL_DECL(result, name, ...)  \
	typedef result name##_type(__VA_ARGS__); \
	static void *name##_real
static inline void *plumb_real(void **slot, const char *name) {
	void *f = __atomic_load_n(slot, __ATOMIC_RELAXED);
	if (unlikely(!f)) {
		f = plumb_next(name);
		__atomic_store_n(slot, f, __ATOMIC_RELAXED);
	}
	return f;
}
#endif

// The signal that stops threads: the last real-time signal. __libc_current_sigrtmax
// tells programs that it does not exist.
#define PLUMB_STOP_SIGNAL 64

// ---- stopping threads (stop.c)

struct plumb_task {
	int tid, busy;
	_Atomic uint32_t state;
	uintptr_t fs; // its thread pointer
	uintptr_t sp;
	uintptr_t regs[15]; // general registers, any of which may hold the last pointer
	struct plumb_range vector; // where its vector registers were saved
};
static inline void plumb_strip(sigset_t *set) { sigdelset(set, PLUMB_STOP_SIGNAL); }
enum { TASK_STOPPED = 1, TASK_SILENT, TASK_GONE };

void plumb_tasks_init(void);
int plumb_tasks_stop(void); // how many did not answer
void plumb_tasks_start(void);
const struct plumb_task *plumb_task_at(int i); // 0 behind the last
int plumb_task_state(const struct plumb_task *);
void plumb_tasks_before_fork(void);
void plumb_tasks_after_fork(void);
int plumb_in_runtime(const ucontext_t *); // the interrupted code is ours
void plumb_restart_call(ucontext_t *); // in a handler: the program sees no EINTR
void plumb_stop_handler(int sig, siginfo_t *info, void *context);

// ---- threads (threads.c, stacks.c)

enum { STARTING = 1, RUNNING, ORPHAN };
struct plumb_record { // in the tables: what it holds is no root
	_Atomic uint32_t state;  // 0 free
	int tid;
	uint8_t own_stack;       // libc's, not the program's
	uint8_t is_main;
	_Atomic uint8_t let_go;  // joined or detached: its result counts no more
	uint8_t rounds;          // of its keys' destructors
	uint8_t ended;
	uint32_t ctx;            // the call that created it
	uint32_t ended_at, ended_in; // site and context of its end; 0 if not known
	uintptr_t lo, hi, fs;
	uintptr_t alt;           // its stack for fatal signals, ALT_SIZE bytes; stays with the record
	uintptr_t fn, arg;       // while it starts
};
#define ALT_SIZE 65536
extern struct plumb_record *plumb_records;
extern _Atomic uint32_t plumb_nrecords;
extern _Thread_local struct plumb_record *plumb_me TLS_FAST;
extern struct plumb_lock plumb_records_lock;
void plumb_records_init(void);
void plumb_records_after_fork(void);
void plumb_record_this(struct plumb_record *, int is_main);
struct plumb_record *plumb_record_of(uintptr_t fs); // of a thread that is not let go
void plumb_thread_ending(void *record);
void plumb_alt_stack(struct plumb_record *); // gives the calling thread its stack for fatal signals
void plumb_no_alt_stack(void);

void plumb_stacks_init(void);

// ---- signals (signals.c, crash.c)

void plumb_signals_init(void);
void plumb_default_action(int sig);  // the program did not set a handler: report, then the default
void plumb_really_default(int sig);
void plumb_fatal(int sig, siginfo_t *, void *context);
void plumb_check_signal(int sig, siginfo_t *, void *context);
void plumb_crash_init(void);
void plumb_crash_after_fork(void);
void plumb_quick_exit_init(void);
unsigned long plumb_client_check(void);
extern struct plumb_range plumb_self_vector; // vector registers of the code that a signal interrupted

// ---- fork, files, the rest

extern int plumb_pid; // of the process whose memory this is; getpid differs in the child of vfork
void plumb_fork_init(void);
void plumb_fds_init(void);
void plumb_exec_init(void);

// Frames in [lo, hi) of the stack end at the call that node names, or at those of
// its callers (jump.c).
void plumb_leave_frames(uint32_t node, uintptr_t lo, uintptr_t hi, const uintptr_t *regs, int n, enum plumb_what what);

// ---- all of it

void plumb_proc_init(void); // idempotent; every hook that may come first calls it

// The site that is where site is, but another thing happens there.
uint32_t plumb_site_as(uint32_t site, enum plumb_what what);
// The event of a thing that happens at the call a node names: event[0] is the
// site, event[1] the context.
void plumb_event_at(uint32_t node, enum plumb_what what, uint32_t event[2]);

#endif
