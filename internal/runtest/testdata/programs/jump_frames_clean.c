// longjmp back to frames that hold their blocks in volatile locals and free them,
// nested two deep, several times.
//
// run: =>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf *top;

static void fail(int n)
{
	if (n % 2)
		longjmp(*top, n);
}

static int guarded(int n)
{
	jmp_buf here, *outer = top;
	char *volatile block = malloc(16);
	int r;
	top = &here;
	if ((r = setjmp(here)) == 0) {
		block[0] = 1;
		fail(n);
		r = n;
	}
	top = outer;
	free(block);
	if (n % 4 == 1)
		fail(n);
	return r;
}

int main(void)
{
	jmp_buf here;
	for (volatile int i = 0; i < 8; i++) {
		char *volatile own = malloc(32);
		top = &here;
		if (setjmp(here) == 0)
			guarded(i);
		free(own);
	}
	return 0;
}
