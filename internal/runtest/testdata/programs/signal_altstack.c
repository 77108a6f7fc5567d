// A handler on a stack of its own, which is heap memory: what its frame held is
// stale there afterwards and must not hide the loss; the stack itself is given back.
//
// run: => A=1/100
// known@O0,O1,O2,O3: A stale words of a signal stack count when it is released
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>

static volatile int seen;

static void deep(int n)
{
	char *volatile p = malloc(100); // alloc: A
	p[0] = (char)n;
	seen++;
} // leak: A

static void handler(int sig)
{
	deep(sig);
}

int main(void)
{
	stack_t ss = { .ss_sp = malloc(65536), .ss_size = 65536 }, old;
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	sigaltstack(&ss, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	raise(SIGUSR2);
	ss.ss_flags = SS_DISABLE;
	sigaltstack(&ss, &old);
	free(old.ss_sp);
	return seen != 1;
}
