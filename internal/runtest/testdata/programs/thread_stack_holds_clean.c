// At the end of main the only pointer to a block is on the stack of a thread that
// waits: a local of a function further up, and an array.
//
// run: => ~A=1/100 ~B=3/30 ~T=?/?
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static sem_t ready, never;

static int wait_for(void)
{
	sem_post(&ready);
	return sem_wait(&never);
}

static void *work(void *arg)
{
	char *held = malloc(100); // alloc: A
	char *many[3];
	strcpy(held, arg);
	for (int i = 0; i < 3; i++)
		many[i] = malloc(10); // alloc: B
	for (int i = 0; i < 3; i++)
		many[i][0] = (char)i; // forgotten: B
	held[0] = 'x'; // forgotten: A
	wait_for();
	for (int i = 0; i < 3; i++)
		free(many[i]);
	free(held);
	return NULL;
}

int main(void)
{
	pthread_t t;
	sem_init(&ready, 0, 0);
	sem_init(&never, 0, 0);
	pthread_create(&t, NULL, work, "held"); // alloc: T
	sem_wait(&ready);
	return 0;
}
