// A pointer in two halves, exclusive-ored, or packed with a number in the upper
// bits is no pointer for a while; it is put together again and freed.
//
// run: =>
#include <stdint.h>
#include <stdlib.h>

struct halves { uint32_t low, high; };
struct packed { uint64_t address : 48, tag : 16; };
static struct halves h;
static struct packed k;
static uintptr_t x;

static void hide(void)
{
	uintptr_t a = (uintptr_t)malloc(16);
	h.low = (uint32_t)a;
	h.high = (uint32_t)(a >> 32);
	k.address = (uintptr_t)malloc(32);
	k.tag = 0xabc;
	x = (uintptr_t)malloc(48) ^ 0x5555555555555555u;
}

int main(void)
{
	hide();
	free((void *)((uintptr_t)h.high << 32 | h.low));
	free((void *)(uintptr_t)k.address);
	free((void *)(x ^ 0x5555555555555555u));
	return 0;
}
