// Keeps the stop signal deliverable: every set of signals that the program asks
// to block loses it, and the program is told that the signal does not exist.
// Masks that libc sets inside (while a thread is created or ends, in system and
// posix_spawn) last microseconds; whoever waits for threads waits longer.
#define _GNU_SOURCE
#include "proc.h"
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/signalfd.h>

PLUMB_REAL_DECL(int, sigprocmask, int, const sigset_t *, sigset_t *);
PLUMB_REAL_DECL(int, pthread_sigmask, int, const sigset_t *, sigset_t *);
PLUMB_REAL_DECL(int, sigsuspend, const sigset_t *);
PLUMB_REAL_DECL(int, sigwait, const sigset_t *, int *);
PLUMB_REAL_DECL(int, sigwaitinfo, const sigset_t *, siginfo_t *);
PLUMB_REAL_DECL(int, sigtimedwait, const sigset_t *, siginfo_t *, const struct timespec *);
PLUMB_REAL_DECL(int, signalfd, int, const sigset_t *, int);
PLUMB_REAL_DECL(int, ppoll, struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);
PLUMB_REAL_DECL(int, pselect, int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *);
PLUMB_REAL_DECL(int, epoll_pwait, int, struct epoll_event *, int, int, const sigset_t *);
PLUMB_REAL_DECL(int, epoll_pwait2, int, struct epoll_event *, int, const struct timespec *, const sigset_t *);
PLUMB_REAL_DECL(int, pthread_attr_setsigmask_np, pthread_attr_t *, const sigset_t *);

// A copy of *set without the stop signal; none if there is no set.
#define STRIPPED(set)          \
	sigset_t without;          \
	const sigset_t *s = (set); \
	if (s) {                   \
		without = *s;          \
		plumb_strip(&without); \
		s = &without;          \
	}

EXPORT int PLUMB_HOOK(sigprocmask)(int how, const sigset_t *set, sigset_t *old) {
	STRIPPED(set);
	return PLUMB_REAL(sigprocmask)(how, s, old);
}
EXPORT int PLUMB_HOOK(pthread_sigmask)(int how, const sigset_t *set, sigset_t *old) {
	STRIPPED(set);
	return PLUMB_REAL(pthread_sigmask)(how, s, old);
}
EXPORT int PLUMB_HOOK(sigsuspend)(const sigset_t *set) {
	STRIPPED(set);
	return PLUMB_REAL(sigsuspend)(s);
}
EXPORT int PLUMB_HOOK(sigwait)(const sigset_t *set, int *sig) {
	STRIPPED(set);
	return PLUMB_REAL(sigwait)(s, sig);
}
EXPORT int PLUMB_HOOK(sigwaitinfo)(const sigset_t *set, siginfo_t *info) {
	STRIPPED(set);
	return PLUMB_REAL(sigwaitinfo)(s, info);
}
EXPORT int PLUMB_HOOK(sigtimedwait)(const sigset_t *set, siginfo_t *info, const struct timespec *t) {
	STRIPPED(set);
	return PLUMB_REAL(sigtimedwait)(s, info, t);
}
EXPORT int PLUMB_HOOK(signalfd)(int fd, const sigset_t *set, int flags) {
	STRIPPED(set);
	return PLUMB_REAL(signalfd)(fd, s, flags);
}
EXPORT int PLUMB_HOOK(ppoll)(struct pollfd *fds, nfds_t n, const struct timespec *t, const sigset_t *set) {
	STRIPPED(set);
	return PLUMB_REAL(ppoll)(fds, n, t, s);
}
EXPORT int PLUMB_HOOK(pselect)(int n, fd_set *r, fd_set *w, fd_set *x, const struct timespec *t, const sigset_t *set) {
	STRIPPED(set);
	return PLUMB_REAL(pselect)(n, r, w, x, t, s);
}
EXPORT int PLUMB_HOOK(epoll_pwait)(int fd, struct epoll_event *e, int n, int ms, const sigset_t *set) {
	STRIPPED(set);
	return PLUMB_REAL(epoll_pwait)(fd, e, n, ms, s);
}
EXPORT int PLUMB_HOOK(epoll_pwait2)(int fd, struct epoll_event *e, int n, const struct timespec *t, const sigset_t *set) {
	STRIPPED(set);
	return PLUMB_REAL(epoll_pwait2)(fd, e, n, t, s);
}
EXPORT int PLUMB_HOOK(pthread_attr_setsigmask_np)(pthread_attr_t *a, const sigset_t *set) {
	STRIPPED(set);
	return PLUMB_REAL(pthread_attr_setsigmask_np)(a, s);
}

// SIGRTMAX in the program's eyes.
EXPORT int PLUMB_HOOK(__libc_current_sigrtmax)(void) { return PLUMB_STOP_SIGNAL - 1; }
