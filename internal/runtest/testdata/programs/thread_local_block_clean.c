// Each thread frees what it made, or its creator does.
//
// run: =>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *arg)
{
	char *scratch = malloc(40);
	char *result = malloc(8);
	strcpy(scratch, arg);
	result[0] = scratch[0];
	free(scratch);
	return result;
}

int main(void)
{
	pthread_t t;
	void *result;
	pthread_create(&t, NULL, work, "name");
	pthread_join(t, &result);
	free(result);
	return 0;
}
