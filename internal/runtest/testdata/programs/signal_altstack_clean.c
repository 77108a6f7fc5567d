// The end comes inside a handler on another stack: what the frames of the stack it
// interrupted hold is not lost, nor what the handler's frame holds.
//
// run: => ~A=1/33 ~B=1/44 ~S=1/65536
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>

static stack_t ss;

static void handler(int sig)
{
	char *p = malloc(33); // alloc: A
	p[0] = (char)sig; // forgotten: A
	exit(0);
	free(p);
}

static int wait_here(void)
{
	char *q = malloc(44); // alloc: B
	q[0] = 1; // forgotten: B
	raise(SIGUSR2);
	free(q);
	return 1;
}

int main(void)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
	ss.ss_sp = malloc(65536); // alloc: S; forgotten: S
	ss.ss_size = 65536;
	sigaltstack(&ss, NULL);
	sigaction(SIGUSR2, &sa, NULL);
	return wait_here();
}
