// What a thread's variables hold when it ends is lost where it was created.
// options: kinds=lost
// flags: -lpthread
// lost 1 30 alloc=18,27 loss=27
// lost 1 40 alloc=19,27 loss=27
#include <pthread.h>
#include <stdlib.h>

#include "sites.h"

static __thread char *local;
static pthread_key_t key;

static void *run(void *arg) {
	ENTER;
	free(arg);
	// A thread begins in the context of the call that creates it.
	local = CALL(malloc(30));
	pthread_setspecific(key, CALL(malloc(40)));
	return 0;
}

int main(void) {
	ENTER;
	pthread_t t;
	pthread_key_create(&key, 0);
	CALL(pthread_create(&t, 0, run, malloc(20)));
	pthread_join(t, 0);
	return 0;
}
