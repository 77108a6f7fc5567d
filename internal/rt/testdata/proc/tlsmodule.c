// A module with thread-local variables, loaded when threads exist already.
#include <plumb.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_barrier_t loaded, held, checked;
static void *(*slot)(void);

static void *uses(void *arg) {
	pthread_barrier_wait(&loaded);
	*(char **)slot() = malloc(10 + (long)arg);
	pthread_barrier_wait(&held);
	pthread_barrier_wait(&checked);
	if ((long)arg % 2)
		free(*(char **)slot());
	return 0;
}

int main(int argc, char **argv) {
	pthread_t t[4];
	pthread_barrier_init(&loaded, 0, 5);
	pthread_barrier_init(&held, 0, 5);
	pthread_barrier_init(&checked, 0, 5);
	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], 0, uses, (void *)i);
	void *h = dlopen(argv[1], RTLD_NOW);
	if (!h || !(slot = (void *(*)(void))dlsym(h, "slot")))
		return 1;
	pthread_barrier_wait(&loaded);
	pthread_barrier_wait(&held);
	printf("held: %lu\n", plumb_check());
	pthread_barrier_wait(&checked);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	printf("ended: %lu\n", plumb_check());
	return 0;
}
