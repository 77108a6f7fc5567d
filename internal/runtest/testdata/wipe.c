// Linked into the programs that valgrind runs. When main has returned, or exit is
// called, what earlier calls left behind below the stack pointer and in registers is
// overwritten: a dead copy of a pointer there would make a lost block look held.
#include <stdlib.h>

int __real_main(int argc, char **argv, char **environment);
void __real_exit(int status) __attribute__((noreturn));

static __attribute__((noinline)) void wipe(void)
{
	volatile char below[1 << 16];
	for (size_t i = 0; i < sizeof below; i++)
		below[i] = 0;
	__asm__ volatile("xorl %%esi, %%esi; xorl %%edi, %%edi; xorl %%r8d, %%r8d; xorl %%r9d, %%r9d; xorl %%r10d, %%r10d; xorl %%r11d, %%r11d"
	                 : : : "rsi", "rdi", "r8", "r9", "r10", "r11");
}

int __wrap_main(int argc, char **argv, char **environment)
{
	int status = __real_main(argc, argv, environment);
	wipe();
	return status;
}

void __wrap_exit(int status)
{
	wipe();
	__real_exit(status);
}
