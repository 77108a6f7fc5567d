// A full queue between threads: the producer drops what it could not hand over;
// what was handed over is freed by the consumer.
//
// run: 4 =>
// run: 7 => A=3/72
#include <pthread.h>
#include <stdlib.h>

#define CAP 4
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long *queue[CAP];
static int count;

static int push(long *item)
{
	int ok = 0;
	pthread_mutex_lock(&lock);
	if (count < CAP) {
		queue[count++] = item;
		ok = 1;
	}
	pthread_mutex_unlock(&lock);
	return ok;
}

static void *produce(void *arg)
{
	for (long i = 0; i < *(int *)arg; i++) {
		long *item = malloc(24); // alloc: A
		*item = i;
		if (!push(item))
			continue; // leak: A
	}
	return NULL;
}

static void *consume(void *arg)
{
	long *sum = arg;
	pthread_mutex_lock(&lock);
	while (count > 0) {
		long *item = queue[--count];
		queue[count] = NULL;
		*sum += *item;
		free(item);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	int n = argc > 1 ? atoi(argv[1]) : 0;
	long sum = 0;
	pthread_create(&t, NULL, produce, &n);
	pthread_join(t, NULL);
	pthread_create(&t, NULL, consume, &sum);
	pthread_join(t, NULL);
	return 0;
}
