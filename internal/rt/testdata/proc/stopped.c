// Threads in all sorts of states while main asks for checks.
#define _GNU_SOURCE
#include <errno.h>
#include <plumb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int fds[2];
static volatile int stop;
static int failures;
static sem_t never;
static pthread_barrier_t ready;

static void failed(const char *what) {
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	__atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

// Each holds a block on its stack alone, or in a register.
static void *polls(void *a) {
	char *volatile p = malloc(100);
	struct pollfd f = {fds[0], POLLIN};
	pthread_barrier_wait(&ready);
	if (poll(&f, 1, -1) != 1) failed("poll");
	free(p);
	return 0;
}
static void *selects(void *a) {
	char *volatile p = malloc(100);
	fd_set s;
	FD_ZERO(&s);
	FD_SET(fds[0], &s);
	pthread_barrier_wait(&ready);
	if (select(fds[0] + 1, &s, 0, 0, 0) != 1) failed("select");
	free(p);
	return 0;
}
static void *epolls(void *a) {
	char *volatile p = malloc(100);
	int e = epoll_create1(0);
	struct epoll_event ev = {EPOLLIN};
	epoll_ctl(e, EPOLL_CTL_ADD, fds[0], &ev);
	pthread_barrier_wait(&ready);
	if (epoll_wait(e, &ev, 1, -1) != 1) failed("epoll_wait");
	close(e);
	free(p);
	return 0;
}
static void *reads(void *a) {
	char *volatile p = malloc(100);
	char c;
	pthread_barrier_wait(&ready);
	if (read(*(int *)a, &c, 1) != 1) failed("read");
	free(p);
	return 0;
}
static void *sleeps(void *a) {
	char *volatile p = malloc(100);
	pthread_barrier_wait(&ready);
	while (!stop)
		if (usleep(20000) != 0) failed("usleep");
	free(p);
	return 0;
}
static void *waits(void *a) {
	char *volatile p = malloc(100);
	pthread_barrier_wait(&ready);
	while (!stop) {
		struct timespec t;
		clock_gettime(CLOCK_REALTIME, &t);
		t.tv_sec += 100;
		if (sem_timedwait(&never, &t) != 0) failed("sem_timedwait");
	}
	free(p);
	return 0;
}
static void *spins(void *a) {
	register char *p = malloc(100);
	pthread_barrier_wait(&ready);
	while (!stop) {
		char *q = malloc(40);
		*p = 1;
		free(p);
		p = q;
	}
	free(p);
	return 0;
}

__attribute__((noinline)) static void lose(void) { memset(malloc(64), 1, 64); }
__attribute__((noinline)) static void scrub(void) {
	char b[4096];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}

int main(void) {
	int other[2];
	pipe(fds);
	pipe(other);
	sem_init(&never, 0, 0);
	pthread_barrier_init(&ready, 0, 9);
	void *(*f[])(void *) = {polls, selects, epolls, reads, sleeps, waits, spins, spins};
	pthread_t t[8];
	for (int i = 0; i < 8; i++)
		pthread_create(&t[i], 0, f[i], &other[0]);
	pthread_barrier_wait(&ready);
	usleep(20000); // most are in their call by now; none must mind if not
	printf("checks:");
	for (int i = 0; i < 3; i++)
		printf(" %lu", plumb_check());
	printf("\n");
	lose();
	scrub();
	printf("lost: %lu\n", plumb_check());
	stop = 1;
	write(fds[1], "x", 1);
	write(other[1], "x", 1);
	sem_post(&never);
	for (int i = 0; i < 8; i++)
		pthread_join(t[i], 0);
	return failures;
}
