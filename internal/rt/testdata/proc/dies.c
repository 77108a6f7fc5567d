// Loses a block, then ends in the way that its argument says.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static char *volatile kept;

__attribute__((noinline)) static void lose(void) { memset(malloc(77), 1, 77); }
__attribute__((noinline)) static void scrub(void) {
	char b[65536];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}
__attribute__((noinline)) static int deep(volatile char *above) {
	volatile char frame[4096];
	frame[0] = above[0];
	return deep(frame) + frame[0];
}
static void again(int sig) { raise(sig); }
static void *crashes(void *unused) {
	*(volatile int *)8 = 1;
	return 0;
}
static void *overflows(void *unused) {
	char c = 0;
	deep(&c);
	return 0;
}

int main(int argc, char **argv) {
	const char *how = argv[1];
	pthread_t t;
	char *volatile on_stack = malloc(10);
	kept = malloc(20);
	lose();
	scrub(); // deep frames leave much of themselves as it was
	if (strcmp(how, "segv") == 0)
		*(volatile int *)16 = 1;
	if (strcmp(how, "fpe") == 0) {
		volatile int zero = 0, one = 1;
		one = one / zero;
	}
	if (strcmp(how, "ill") == 0)
		__asm__ volatile("ud2");
	if (strcmp(how, "abort") == 0)
		abort();
	if (strcmp(how, "overflow") == 0)
		overflows(0);
	if (strcmp(how, "thread") == 0)
		pthread_create(&t, 0, crashes, 0), pthread_join(t, 0);
	if (strcmp(how, "threadoverflow") == 0)
		pthread_create(&t, 0, overflows, 0), pthread_join(t, 0);
	if (strcmp(how, "pipe") == 0) {
		int p[2];
		pipe(p);
		close(p[0]);
		write(p[1], "x", 1);
	}
	if (strcmp(how, "once") == 0) { // the common crash handler
		struct sigaction a = {.sa_handler = again, .sa_flags = SA_RESETHAND | SA_NODEFER};
		sigaction(SIGSEGV, &a, 0);
		*(volatile int *)16 = 1;
	}
	if (strcmp(how, "back") == 0) {
		signal(SIGTERM, again);
		signal(SIGTERM, SIG_DFL);
		raise(SIGTERM);
	}
	if (strcmp(how, "small") == 0) { // a stack for handlers that is too small to report on
		static char small[8192];
		stack_t s = {.ss_sp = small, .ss_size = sizeof small};
		sigaltstack(&s, 0);
		*(volatile int *)16 = 1;
	}
	if (strcmp(how, "ruin") == 0) { // the heap is in ruins and its owner holds a lock
		memset((void *)(3ul << 42), 0xff, 4096);
		*(volatile int *)16 = 1;
	}
	if (strcmp(how, "_exit") == 0)
		_exit(3);
	if (strcmp(how, "_Exit") == 0)
		_Exit(3);
	if (strcmp(how, "quick") == 0)
		quick_exit(3);
	if (strcmp(how, "wait") == 0) {
		puts("ready");
		fflush(stdout);
		for (;;)
			pause();
	}
	int sig = atoi(how);
	if (sig)
		raise(sig);
	return 9;
}
