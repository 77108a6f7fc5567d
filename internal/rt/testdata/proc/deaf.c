// A thread that no signal reaches: it blocked them all behind libc's back.
#include <plumb.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_barrier_t ready;
static int fds[2];

static void *deaf(void *arg) {
	unsigned long all = ~0ul;
	char *volatile p = malloc(100);
	char c;
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, 0, 8);
	pthread_barrier_wait(&ready);
	read(fds[0], &c, 1);
	free(p);
	return 0;
}

int main(void) {
	pthread_t t;
	pipe(fds);
	pthread_barrier_init(&ready, 0, 2);
	pthread_create(&t, 0, deaf, 0);
	pthread_barrier_wait(&ready);
	printf("lost: %lu\n", plumb_check());
	write(fds[1], "x", 1);
	pthread_join(t, 0);
	return 0;
}
