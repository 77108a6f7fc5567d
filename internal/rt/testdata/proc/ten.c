// Ten threads: each tenth block is lost, the others change hands and are freed.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *volatile slots[64];

static void *work(void *arg) {
	long n = (long)arg;
	for (long i = 0; i < n; i++) {
		if (i % 10 == 0) {
			memset(malloc(24), 1, 24);
			continue;
		}
		char *p = malloc(1 + i % 3000);
		p[0] = 1;
		free(__atomic_exchange_n(&slots[i % 64], p, __ATOMIC_ACQ_REL));
	}
	return 0;
}

int main(int argc, char **argv) {
	pthread_t t[10];
	for (int i = 0; i < 10; i++)
		pthread_create(&t[i], 0, work, (void *)atol(argv[1]));
	for (int i = 0; i < 10; i++)
		pthread_join(t[i], 0);
	for (int i = 0; i < 64; i++)
		free(slots[i]);
	return 0;
}
