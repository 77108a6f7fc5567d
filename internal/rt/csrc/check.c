// One check: stop the others, mark, sweep, let them go, write.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static int running; // thread that checks

struct plumb_totals plumb_last_check;

void plumb_check_after_fork(void) { running = 0; }

// A process that ends waits for a check that another thread has begun, but not
// for ever: that thread may be stuck.
static int begin(enum plumb_reason reason) {
	int self = syscall(SYS_gettid);
	for (int tries = 0; tries < 10000; tries++) {
		int nobody = 0;
		if (__atomic_compare_exchange_n(&running, &nobody, self, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 1;
		if (nobody == self || reason == REASON_CHECK || reason == REASON_SIGNAL) return 0;
		nanosleep(&(struct timespec){0, 1000000}, 0);
	}
	return 0;
}

uint64_t plumb_check_now(enum plumb_reason reason, int number, uintptr_t sp, const uintptr_t *regs, int nregs) {
	plumb_init();
	if (plumb_fallback) return 0;
	int err = errno;
	if (!begin(reason)) return 0;
	static struct plumb_world world;
	static struct plumb_result result;
	world = (struct plumb_world){0};
	plumb_spare(1);
	plumb_snapshot_modules();
	plumb_lock_all();
	plumb_stop_world(&world);
	plumb_unlock_own(); // the lists of the check grow while the others stand
	if (plumb_mark_begin() == 0) {
		plumb_mark_roots(&world, sp, regs, nregs);
		plumb_sweep(&result);
	}
	plumb_lock_own();
	plumb_start_world(&world);
	plumb_unlock_all();
	plumb_last_check = (struct plumb_totals){result.live_blocks, result.live_bytes, result.lost_blocks, result.lost_bytes};
	if (result.lost_bytes >= plumb_opt.after_bytes) {
		plumb_write_report(&result, reason, number);
		if (result.lost_blocks && plumb_opt.on_leak == 'b') raise(SIGTRAP);
	}
	plumb_spare(0);
	errno = err;
	__atomic_store_n(&running, 0, __ATOMIC_RELEASE);
	return result.lost_blocks ? result.lost_bytes + !result.lost_bytes : 0; // blocks of no bytes are lost too
}
