// A signal handler replaces a global pointer in the middle of a function; one in the
// handler's own frame is lost where it returns.
//
// run: => A=1/40 B=1/8 ~C=1/50
#include <signal.h>
#include <stdlib.h>

static char *volatile current;

static void handler(int sig)
{
	char *own = malloc(8); // alloc: B
	own[0] = (char)sig;
	current = malloc(50); // alloc: C; leak: A
	current[0] = 1; // forgotten: C
} // leak: B

int main(void)
{
	signal(SIGUSR1, handler);
	current = malloc(40); // alloc: A
	current[0] = 1;
	raise(SIGUSR1);
	return 0;
}
