// The only pointer is in a register of a thread that spins when main ends.
//
// run: => ~A=1/72 ~T=?/?
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int started, stop;

static void *spin(void *arg)
{
	long *p = malloc(72); // alloc: A
	p[0] = (long)arg; // forgotten: A
	atomic_store(&started, 1);
	while (!atomic_load(&stop))
		__asm__ volatile("" : "+r"(p)); // forgotten: A
	free(p);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, spin, (void *)1); // alloc: T
	while (!atomic_load(&started))
		;
	return 0;
}
