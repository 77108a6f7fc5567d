// Gets asked for checks by a signal, often, while threads allocate: none may
// hang, none may report what is in somebody's hands.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int stop;

static void *works(void *unused) {
	char *held[50] = {0};
	for (unsigned i = 0; !stop; i++) {
		free(held[i % 50]);
		held[i % 50] = i % 100 == 99 ? calloc(1, 100000) : malloc(i % 500);
		if (i % 7 == 0)
			held[i % 50] = realloc(held[i % 50], 700);
	}
	for (int i = 0; i < 50; i++)
		free(held[i]);
	return 0;
}

int main(int argc, char **argv) {
	pthread_t t[4];
	struct sigaction a;
	// The program's own handler for the signal is kept for it to see.
	signal(SIGUSR1, SIG_IGN);
	if (sigaction(SIGUSR1, 0, &a) != 0 || a.sa_handler != SIG_IGN)
		return 1;
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, works, 0);
	for (int i = 0; i < atoi(argv[1]); i++) {
		if (i % 2)
			kill(getpid(), SIGUSR1); // any thread
		else
			pthread_kill(t[i / 2 % 4], SIGUSR1); // in the middle of something, most often
		if (usleep(3000) != 0)
			return 2;
	}
	stop = 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	return 0;
}
