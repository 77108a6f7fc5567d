// The main thread ends before another one.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t first;

static void *rest(void *arg) {
	pthread_join(first, 0);
	char *kept = arg;
	char *volatile mine = malloc(10);
	mine = 0;
	free(kept);
	return 0;
}

int main(void) {
	pthread_t t;
	first = pthread_self();
	char *volatile p = malloc(20); // only on a stack that is gone
	pthread_create(&t, 0, rest, malloc(40));
	pthread_exit(0);
}
