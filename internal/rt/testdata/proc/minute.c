// Ten threads allocate, exchange, release and lose blocks for some seconds; it
// prints how many they lost. With "forks" two of them also make children that lose
// blocks of their own, of a size nothing else has; it prints how many children.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 10, SLOTS = 1024, CHILD = 7776 };
static void *volatile slots[SLOTS];
static time_t end;
static int forks;
static unsigned long lost[THREADS], children[THREADS];

__attribute__((noinline)) static void lose(size_t n) {
	char *p = malloc(n);
	memset(p, 1, n);
}

__attribute__((noinline)) static void scrub(void) {
	char b[4096];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}

static void child(void) {
	for (int i = 0; i < 5; i++)
		lose(CHILD);
	scrub();
	exit(0);
}

static void *work(void *arg) {
	long self = (long)arg;
	unsigned seed = self;
	do {
		for (int i = 0; i < 1000; i++) {
			seed = seed * 1103515245 + 12345;
			size_t n = 1 + (seed >> 8) % (seed % 64 ? 600 : 70000);
			char *p = malloc(n);
			p[0] = p[n - 1] = 1;
			if (i % 10 == 0)
				p = realloc(p, n * 2);
			free(__atomic_exchange_n(&slots[(seed >> 16) % SLOTS], p, __ATOMIC_ACQ_REL));
			p = 0;
		}
		lose(32);
		lost[self]++;
		if (forks && self < 2) {
			int status;
			pid_t pid = fork();
			if (pid == 0)
				child();
			if (waitpid(pid, &status, 0) != pid || status != 0)
				abort();
			children[self]++;
			usleep(20000);
		}
	} while (time(0) < end);
	scrub();
	return 0;
}

int main(int argc, char **argv) {
	pthread_t t[THREADS];
	end = time(0) + atoi(argv[1]);
	forks = argc > 2;
	for (long i = 0; i < THREADS; i++)
		pthread_create(&t[i], 0, work, (void *)i);
	unsigned long n = 0, c = 0;
	for (int i = 0; i < THREADS; i++) {
		pthread_join(t[i], 0);
		n += lost[i];
		c += children[i];
	}
	for (int i = 0; i < SLOTS; i++)
		free(slots[i]), slots[i] = 0;
	printf("%lu %lu\n", n, c);
	return 0;
}
