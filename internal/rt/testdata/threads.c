// Ten threads that allocate, lose and release each other's blocks: exact totals.
// flags: -pthread
// lost 100000 2400000
// lost 100000 4800000
#include <pthread.h>
#include <stdlib.h>

#define N 10000
static void *slot[10][N];
static pthread_barrier_t barrier;

static void *work(void *arg) {
	long k = (long)arg;
	for (int i = 0; i < N; i++) {
		*(char *)malloc(24) = 1;
		slot[k][i] = malloc(100);
		malloc(48);
	}
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < N; i++) {
		free(slot[(k + 1) % 10][i]);
		slot[(k + 1) % 10][i] = 0;
	}
	return 0;
}

int main(void) {
	pthread_t t[10];
	pthread_barrier_init(&barrier, 0, 10);
	for (long i = 0; i < 10; i++) pthread_create(&t[i], 0, work, (void *)i);
	for (int i = 0; i < 10; i++) pthread_join(t[i], 0);
	return 0;
}
