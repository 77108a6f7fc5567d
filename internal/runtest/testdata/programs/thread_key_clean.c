// Keys: released by the destructor, replaced after a free, and still held by a
// running thread (also one of the second level of keys, which libc allocates for its own).
//
// run: => ~A=1/24 ~B=2/560 ~T=?/?
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_key_t keys[64];
static sem_t ready;

static void *ends(void *arg)
{
	pthread_setspecific(keys[0], malloc(24));
	free(pthread_getspecific(keys[0]));
	pthread_setspecific(keys[0], malloc(25));
	(void)arg;
	return NULL;
}

static void *stays(void *arg)
{
	pthread_setspecific(keys[1], malloc(24)); // alloc: A; forgotten: A
	pthread_setspecific(keys[60], malloc(48)); // alloc: B; forgotten: B
	(void)arg;
	sem_post(&ready);
	for (;;)
		pause();
	return NULL;
}

int main(void)
{
	pthread_t t;
	sem_init(&ready, 0, 0);
	for (int i = 0; i < 64; i++)
		pthread_key_create(&keys[i], free);
	pthread_create(&t, NULL, ends, NULL);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, stays, NULL); // alloc: T
	sem_wait(&ready);
	return 0;
}
