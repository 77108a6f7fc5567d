// What a thread leaves behind.
#include <plumb.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

static __thread char *local;
static pthread_key_t plain, destroyed;
static int done;

static void *on_stack(void *arg) {
	char *volatile p = malloc(11); // stays where it is: the stack is kept for the next thread
	p[0] = 1;
	return 0;
}
static void *in_variable(void *arg) {
	local = malloc(22);
	return 0;
}
static void *in_keys(void *arg) {
	pthread_setspecific(plain, malloc(33));
	pthread_setspecific(destroyed, malloc(1000));
	pthread_exit(0);
}
static int c11(void *arg) {
	local = malloc(44);
	thrd_exit(0);
}
static void *results(void *arg) { return malloc(55); }
static void *detached(void *arg) {
	free(arg);
	__atomic_store_n(&done, 1, __ATOMIC_RELEASE);
	return 0;
}
static void nothing(void) {}

int main(void) {
	pthread_t t;
	thrd_t c;
	pthread_key_create(&plain, 0);
	pthread_key_create(&destroyed, free);
	pthread_create(&t, 0, on_stack, 0), pthread_join(t, 0);
	pthread_create(&t, 0, in_variable, 0), pthread_join(t, 0);
	pthread_create(&t, 0, in_keys, 0), pthread_join(t, 0);
	thrd_create(&c, c11, 0), thrd_join(c, 0);
	pthread_create(&t, 0, detached, malloc(66)), pthread_detach(t);
	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE))
		usleep(1000);
	pthread_create(&t, 0, results, 0);
	usleep(100000);
	unsigned long before = plumb_check();
	printf("before the join: %lu\n", before >= 55 + 11 + 22 + 33 + 44 ? before : 0);
	pthread_join(t, 0);
	return 0;
}
