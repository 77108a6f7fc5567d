// Stacks that are no thread's: in a block, in a mapping, in an array; and checks
// from there.
#define _GNU_SOURCE
#include <plumb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { SIZE = 65536 };
static ucontext_t home, routine[3];
static char array[SIZE];
static unsigned long worst;

static void check(void) {
	unsigned long n = plumb_check();
	if (n > worst)
		worst = n;
}

static void body(int i) {
	char *volatile mine = malloc(100 + i);
	check();
	swapcontext(&routine[i], &home); // only its stack holds the block meanwhile
	check();
	free(mine);
}

static void on_signal(int sig) {
	char *volatile mine = malloc(50);
	check();
	free(mine);
}

int main(void) {
	char *volatile here = malloc(10);
	char *stacks[3] = {malloc(SIZE), mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), array};
	for (int i = 0; i < 3; i++) {
		getcontext(&routine[i]);
		routine[i].uc_stack.ss_sp = stacks[i];
		routine[i].uc_stack.ss_size = SIZE;
		routine[i].uc_link = &home;
		makecontext(&routine[i], (void (*)(void))body, 1, i);
		swapcontext(&home, &routine[i]);
		check();
	}
	for (int i = 2; i >= 0; i--)
		swapcontext(&home, &routine[i]);
	stack_t s = {.ss_sp = malloc(SIZE), .ss_size = SIZE};
	sigaltstack(&s, 0);
	struct sigaction a = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK};
	sigaction(SIGUSR1, &a, 0);
	raise(SIGUSR1);
	s.ss_flags = SS_DISABLE; // now on the thread's own, as the program has none
	sigaltstack(&s, 0);
	free(s.ss_sp);
	raise(SIGUSR1);
	printf("worst %lu\n", worst);
	free(stacks[0]);
	free(here);
	return 0;
}
