// A block goes from hand to hand: made by one thread, changed by a second, freed
// by a third. At times the only pointer is on another thread's stack.
//
// run: =>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct pipe { sem_t full, empty; long *item; };
static struct pipe first, second;

static void put(struct pipe *p, long *item)
{
	sem_wait(&p->empty);
	p->item = item;
	sem_post(&p->full);
}

static long *take(struct pipe *p)
{
	sem_wait(&p->full);
	long *item = p->item;
	p->item = NULL;
	sem_post(&p->empty);
	return item;
}

static void *make(void *arg)
{
	for (long i = 0; i < 50; i++) {
		long *item = malloc(sizeof *item * 4);
		*item = i;
		put(&first, item);
	}
	put(&first, NULL);
	return arg;
}

static void *change(void *arg)
{
	for (long *item; (item = take(&first)) != NULL;) {
		*item *= 2;
		put(&second, item);
	}
	put(&second, NULL);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	long sum = 0;
	sem_init(&first.full, 0, 0);
	sem_init(&first.empty, 0, 1);
	sem_init(&second.full, 0, 0);
	sem_init(&second.empty, 0, 1);
	pthread_create(&t[0], NULL, make, NULL);
	pthread_create(&t[1], NULL, change, NULL);
	for (long *item; (item = take(&second)) != NULL; free(item))
		sum += *item;
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return sum != 2450;
}
