// A pointer with a mark in its low bit, in an atomic integer: setting the mark
// loses nothing, the exchange to zero does.
//
// run: => A=1/64
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

static atomic_uintptr_t word;

int main(void)
{
	atomic_store(&word, (uintptr_t)malloc(64)); // alloc: A
	atomic_fetch_or(&word, 1);
	atomic_fetch_and(&word, ~(uintptr_t)1);
	atomic_fetch_or(&word, 2);
	if (atomic_load(&word) & 1)
		free((void *)(atomic_load(&word) & ~(uintptr_t)3));
	atomic_exchange(&word, 0); // leak: A
	return 0;
}
