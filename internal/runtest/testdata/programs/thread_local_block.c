// A block that only a local of the thread's function holds is lost where that function returns.
//
// run: => A=1/40
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
	char *scratch = malloc(40); // alloc: A
	strcpy(scratch, arg);
	return NULL; // leak: A
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, "name");
	pthread_join(t, NULL);
	return 0;
}
