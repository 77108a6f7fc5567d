// pthread_cleanup_push releases what pthread_exit and pthread_cancel would lose.
//
// run: =>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static sem_t ready;

static void *leaves(void *arg)
{
	char *p = malloc(20);
	p[0] = *(char *)arg;
	pthread_cleanup_push(free, p);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *cancelled(void *arg)
{
	char *p = malloc(30);
	p[0] = *(char *)arg;
	pthread_cleanup_push(free, p);
	sem_post(&ready);
	for (;;)
		pause();
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	sem_init(&ready, 0, 0);
	pthread_create(&t, NULL, leaves, "a");
	pthread_join(t, NULL);
	pthread_create(&t, NULL, cancelled, "b");
	sem_wait(&ready);
	pthread_cancel(t);
	pthread_join(t, NULL);
	return 0;
}
