// pthread_exit ends the thread from inside two functions: what their locals hold
// is lost at the call that does not come back, in each of them.
//
// run: => A=1/20 B=1/30
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void finish(const char *why)
{
	char *note = malloc(20); // alloc: A
	strcpy(note, why);
	pthread_exit(NULL); // leak: A
}

static void *work(void *arg)
{
	char *copy = malloc(30); // alloc: B
	strcpy(copy, arg);
	if (copy[0] == 'x')
		finish(copy); // leak: B
	free(copy);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, "x");
	pthread_join(t, NULL);
	pthread_create(&t, NULL, work, "ok");
	pthread_join(t, NULL);
	return 0;
}
