// What was lost before a fork is lost once, though both processes have it.
//
// oracle: none, because valgrind tells of it in the child again
// run: => A=3/24 B=1/5 C=1/100000 ~C=1/100000
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *kept;

int main(void)
{
	for (int i = 0; i < 3; i++) {
		char *p = malloc(8); // alloc: A
		p[0] = 1;
	} // leak: A
	kept = malloc(100000); // alloc: C
	pid_t child = fork();
	if (child == 0) {
		char *q = strdup("only"); // alloc: B
		q = NULL; // leak: B
		free(malloc(8)); // slots are used again
		return q != NULL;
	}
	int status;
	waitpid(child, &status, 0);
	kept = NULL; // leak: C
	return status;
}
