// What a thread returns is kept by its descriptor until pthread_join, which here
// does not ask for it.
//
// run: => A=1/56
#include <pthread.h>
#include <stdlib.h>

static void *work(void *arg)
{
	long *result = malloc(56); // alloc: A
	*result = *(long *)arg;
	return result;
}

int main(void)
{
	pthread_t t;
	long n = 3;
	pthread_create(&t, NULL, work, &n);
	pthread_join(t, NULL); // leak: A
	return 0;
}
