// pthread_setspecific holds the only pointer and the key has no destructor: the
// thread's end loses it. A key with a destructor loses nothing.
//
// run: => A=1/24
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t bare, tidy;

static void *work(void *arg)
{
	pthread_setspecific(bare, malloc(24)); // alloc: A
	pthread_setspecific(tidy, malloc(48));
	*(char *)pthread_getspecific(bare) = 1;
	(void)arg;
	return NULL; // leak: A
}

int main(void)
{
	pthread_t t;
	pthread_key_create(&bare, NULL);
	pthread_key_create(&tidy, free);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	return 0;
}
