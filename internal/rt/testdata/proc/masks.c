// Every way to block all signals; none may keep a thread from being stopped.
#define _GNU_SOURCE
#include <plumb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#define N 7
static sigset_t all;
static int fds[2], ep;
static pthread_barrier_t ready;

static void *holds(void *arg) {
	char *volatile p = malloc(100);
	struct pollfd f = {fds[0], POLLIN};
	struct epoll_event e = {EPOLLIN};
	fd_set s;
	FD_ZERO(&s);
	FD_SET(fds[0], &s);
	struct sigaction a;
	int sig;
	switch ((long)arg) {
	case 0: pthread_sigmask(SIG_SETMASK, &all, 0); break;
	case 1: sigprocmask(SIG_BLOCK, &all, 0); break;
	default: break;
	}
	pthread_barrier_wait(&ready);
	switch ((long)arg) {
	case 3: ppoll(&f, 1, 0, &all); break;
	case 4: pselect(fds[0] + 1, &s, 0, 0, 0, &all); break;
	case 5: epoll_pwait(ep, &e, 1, -1, &all); break;
	case 6:
		pthread_sigmask(SIG_SETMASK, &all, 0);
		sigwait(&all, &sig);
		break;
	default: poll(&f, 1, -1);
	}
	free(p);
	return 0;
}

static void on_usr1(int sig) {}

int main(void) {
	sigfillset(&all);
	pipe(fds);
	ep = epoll_create1(0);
	struct epoll_event e = {EPOLLIN};
	epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &e);
	pthread_barrier_init(&ready, 0, N + 1);
	pthread_attr_t masked;
	pthread_attr_init(&masked);
	pthread_attr_setsigmask_np(&masked, &all);
	pthread_t t[N];
	for (long i = 0; i < N; i++)
		pthread_create(&t[i], i == 2 ? &masked : 0, holds, (void *)i);
	pthread_barrier_wait(&ready);
	usleep(20000);

	// What the program set is what it sees.
	struct sigaction a, b;
	int bad = 0;
	for (int sig = 1; sig <= SIGRTMAX; sig++) {
		if (sig == SIGKILL || sig == SIGSTOP || sig == 32 || sig == 33) continue;
		if (sigaction(sig, 0, &a) != 0 || a.sa_handler != SIG_DFL) bad = sig;
		if (signal(sig, on_usr1) != SIG_DFL || signal(sig, SIG_IGN) != on_usr1 || signal(sig, SIG_DFL) != SIG_IGN) bad = sig;
		memset(&a, 0, sizeof a);
		a.sa_handler = SIG_DFL;
		a.sa_flags = SA_NODEFER;
		if (sigaction(sig, &a, 0) != 0 || sigaction(sig, 0, &b) != 0 || b.sa_flags & SA_SIGINFO || !(b.sa_flags & SA_NODEFER)) bad = sig;
	}
	stack_t st;
	if (sigaltstack(0, &st) != 0 || !(st.ss_flags & SS_DISABLE)) bad = 1000;
	printf(bad ? "bad %d\n" : "ok\n", bad);

	printf("lost: %lu\n", plumb_check());
	write(fds[1], "x", 1);
	pthread_kill(t[6], SIGUSR1);
	for (int i = 0; i < N; i++)
		pthread_join(t[i], 0);
	return 0;
}
