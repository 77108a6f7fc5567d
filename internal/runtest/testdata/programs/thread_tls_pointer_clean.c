// Thread-local pointers that are given up before their threads end; the one of a
// thread that still runs at the end is kept by that thread.
//
// run: => ~A=2/64 ~T=?/?
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static _Thread_local char *buffer;
static sem_t ready;

static void *shortlived(void *arg)
{
	buffer = malloc(16);
	buffer[0] = *(char *)arg;
	free(buffer);
	buffer = NULL;
	return NULL;
}

static void *longlived(void *arg)
{
	buffer = malloc(32); // alloc: A
	buffer[0] = *(char *)arg; // forgotten: A
	sem_post(&ready);
	for (;;)
		pause();
	return NULL;
}

int main(void)
{
	pthread_t t;
	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, shortlived, "s");
	pthread_join(t, NULL);
	pthread_create(&t, NULL, longlived, "l"); // alloc: T
	pthread_create(&t, NULL, longlived, "l"); // alloc: T
	sem_wait(&ready);
	sem_wait(&ready);
	return 0;
}
