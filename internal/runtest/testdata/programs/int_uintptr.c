// The pointer lives on in an integer variable and in an integer field.
//
// run: => A=1/10 B=1/20
#include <stdint.h>
#include <stdlib.h>

struct handle { int kind; uintptr_t data; };
static struct handle global;

static uintptr_t make(void)
{
	return (uintptr_t)malloc(10); // alloc: A
}

static int local(void)
{
	uintptr_t h = make();
	*(char *)h = 1;
	h = 0; // leak: A
	return h != 0;
}

int main(void)
{
	global.data = (uintptr_t)malloc(20); // alloc: B
	*(char *)global.data = 2;
	global.kind = local();
	global.data = 7; // leak: B
	return 0;
}
