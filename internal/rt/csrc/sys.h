// System calls without libc: no errno, no cancellation point, no lock. The
// runtime needs them in signal handlers, between fork and exec, and while all
// other threads are stopped.
#ifndef PLUMB_SYS_H
#define PLUMB_SYS_H

#include <stdint.h>
#include <sys/syscall.h>

// The kernel answers with the result or with minus the error number.
static inline long plumb_sys(long nr, long a, long b, long c, long d, long e, long f) {
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long answer;
	__asm__ volatile("syscall"
	                 : "=a"(answer)
	                 : "0"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
	                 : "rcx", "r11", "memory");
	return answer;
}
#define PLUMB_SYS_(nr, a, b, c, d, e, f, ...) \
	plumb_sys((nr), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define PLUMB_SYS(nr, ...) PLUMB_SYS_(nr, ##__VA_ARGS__, 0, 0, 0, 0, 0, 0)

// FUTEX_WAIT and FUTEX_WAKE, private to the process.
#define PLUMB_FUTEX_WAIT 128
#define PLUMB_FUTEX_WAKE 129

static inline void plumb_futex_wait(_Atomic uint32_t *word, uint32_t expected, long nanoseconds) {
	struct { long s, ns; } t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	PLUMB_SYS(SYS_futex, word, PLUMB_FUTEX_WAIT, expected, nanoseconds > 0 ? &t : 0);
}

static inline void plumb_futex_wake(_Atomic uint32_t *word) {
	PLUMB_SYS(SYS_futex, word, PLUMB_FUTEX_WAKE, 0x7fffffff);
}

static inline long plumb_now(void) { // nanoseconds that only grow
	struct { long s, ns; } t;
	PLUMB_SYS(SYS_clock_gettime, 1, &t);
	return t.s * 1000000000 + t.ns;
}

static inline void plumb_pause(long nanoseconds) {
	struct { long s, ns; } t = {nanoseconds / 1000000000, nanoseconds % 1000000000};
	PLUMB_SYS(SYS_nanosleep, &t, 0);
}

#endif
