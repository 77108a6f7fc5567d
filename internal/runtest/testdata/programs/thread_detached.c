// A detached thread replaces the element that it found, in a table of another's.
//
// run: => A=3/48 ~B=1/16
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static char *table[4];
static sem_t done;

static __attribute__((noinline)) void swap_in(int slot)
{
	table[slot] = malloc(16); // leak: A
	free(table[slot]);
	if (slot == 0)
		table[slot] = malloc(16); // alloc: B; forgotten: B
	else
		table[slot] = NULL;
}

static void *replace(void *arg)
{
	swap_in((int)(long)arg);
	sem_post(&done);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	sem_init(&done, 0, 0);
	for (int i = 0; i < 3; i++)
		table[i] = malloc(16); // alloc: A
	for (int i = 0; i < 3; i++) {
		pthread_t t;
		pthread_create(&t, &attr, replace, (void *)(long)i);
		sem_wait(&done);
	}
	return 0;
}
