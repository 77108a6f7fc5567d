// Begins everything that deals with the process as a whole.
#define _GNU_SOURCE
#include "proc.h"
#include <stdatomic.h>

int plumb_pid;
static _Atomic int begun;

// Before the program's own constructors where the linker lets us; hooks called
// still earlier begin it themselves.
__attribute__((constructor(101))) void plumb_proc_init(void) {
	if (atomic_load(&begun))
		return;
	plumb_init();
	if (plumb_fallback)
		return;
	int no = 0;
	if (!atomic_compare_exchange_strong(&begun, &no, 1))
		return;
	plumb_pid = PLUMB_SYS(SYS_getpid);
	plumb_fds_init();
	plumb_tasks_init();
	plumb_stacks_init();
	plumb_crash_init();
	plumb_records_init();
	plumb_signals_init();
	plumb_fork_init();
	plumb_exec_init();
	plumb_quick_exit_init();
}
