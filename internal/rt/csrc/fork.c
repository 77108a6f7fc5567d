// Fork, from any thread: the child gets locks that nobody holds, knows only the
// thread that forked, and reports for itself.
//
// Handlers of pthread_atfork see every fork of libc, those inside daemon and
// forkpty too. vfork and posix_spawn share our memory and run no handlers: their
// children are known by their process id and leave the runtime alone.
#define _GNU_SOURCE
#include "proc.h"
#include <pthread.h>

PLUMB_REAL_DECL(pid_t, _Fork, void);

static void before(void) {
	plumb_lock(&plumb_records_lock);
	plumb_lock_all();
	plumb_tasks_before_fork(); // last: a check has the locks before it stops threads
}

static void in_parent(void) {
	plumb_tasks_after_fork();
	plumb_unlock_all();
	plumb_unlock(&plumb_records_lock);
}

static void in_child(void) {
	plumb_pid = PLUMB_SYS(SYS_getpid);
	plumb_reset_locks();
	plumb_unlock(&plumb_records_lock);
	plumb_tasks_after_fork();
	plumb_records_after_fork();
	plumb_forget_threads();
	plumb_inherit();
	plumb_check_after_fork();
	plumb_crash_after_fork();
}

// Handlers run before the fork in reverse order: ours is registered first and
// runs last, so those of others can still allocate.
void plumb_fork_init(void) { pthread_atfork(before, in_parent, in_child); }

// _Fork runs no handlers, so that signal handlers can call it. For the same
// reason it takes no locks: the child frees those that were held.
EXPORT pid_t PLUMB_HOOK(_Fork)(void) {
	pid_t pid = PLUMB_REAL(_Fork)();
	if (pid == 0)
		in_child();
	return pid;
}
