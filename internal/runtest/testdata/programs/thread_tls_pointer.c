// The only pointer is a thread-local variable: gone with its thread. The main
// thread's own copy of the variable is still there at the end.
//
// run: => A=2/64 ~A=1/32
#include <pthread.h>
#include <stdlib.h>

static _Thread_local char *buffer;

static char *get(void)
{
	if (!buffer)
		buffer = malloc(32); // alloc: A
	return buffer;
}

static void *work(void *arg)
{
	get()[0] = *(char *)arg;
	get()[1] = 0; // forgotten: A
	return NULL; // leak: A
}

int main(void)
{
	pthread_t t[2];
	work("m");
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, "t");
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
