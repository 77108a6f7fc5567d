// What atomic_exchange gives back is freed; the last one stays in the atomic.
//
// run: => ~A=1/24
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) current;

static void publish(char *next)
{
	free(atomic_exchange(&current, next));
}

static char *make(void)
{
	return malloc(24); // alloc: A
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		publish(make());
	atomic_load(&current)[0] = 1; // forgotten: A
	return 0;
}
