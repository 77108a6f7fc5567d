// A retry loop by longjmp: the frame that sets the jump overwrites its variable in
// the next round.
//
// run: => A=2/96
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf again;

static void parse(char *buf, int round)
{
	buf[0] = (char)round;
	if (round < 3)
		longjmp(again, round + 1);
}

int main(void)
{
	char *volatile buf = NULL;
	int round = setjmp(again);
	if (round == 0)
		round = 1;
	buf = malloc(48); // alloc: A; leak: A
	parse(buf, round);
	free(buf);
	return 0;
}
