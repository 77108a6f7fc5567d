// atomic_exchange gives back the old pointer: dropped, it is lost there. A plain
// atomic store over a pointer loses it too.
//
// run: => A=2/48 B=1/32
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) current;
static _Atomic(char *) other;

static void publish(char *next)
{
	atomic_exchange(&current, next); // leak: A
}

static char *make(void)
{
	return malloc(24); // alloc: A
}

int main(void)
{
	publish(make());
	publish(make());
	publish(NULL);
	atomic_store(&other, malloc(32)); // alloc: B
	atomic_store_explicit(&other, NULL, memory_order_release); // leak: B
	return 0;
}
