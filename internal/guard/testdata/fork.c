/* A process with busy threads forks; what it leaves goes on using the guard. The last
   child finds a lock that nobody holds: it may not hang, and may not release. */
#include "plumb_guard.h"
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

PLUMB_GUARD_SITE(site);

static int stop;

static int once(int n)
{
	PLUMB_GUARD_CALL(site);
	char *p = (char *)plumb_guard_add(site, malloc(24));
	if (n % 2) {
		free(plumb_guard_remove(site, p));
		return 0;
	}
	if (plumb_guard_take(site, p)) {
		free(p);
		return 0;
	}
	free(p); /* it was not recorded: this test must not leak */
	return 1;
}

static void *thread(void *arg)
{
	while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
		once(0);
		once(1);
	}
	return arg;
}

static int child(int held)
{
	int i, missed = 0, status;
	pid_t pid = fork();
	if (pid == 0) {
		if (held)
			site->lock = 1;
		for (i = 0; i < 100; i++)
			missed += once(i);
		_exit(missed == 0 ? 0 : missed == 50 ? 50 : 1);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

int main(void)
{
	pthread_t t[4];
	int i, code;
	for (i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, thread, NULL) != 0)
			return 2;
	for (i = 0; i < FORKS; i++) {
		code = child(0);
		if (code != 0 && code != 50) { /* all are tracked, or none */
			printf("child %d: %d\n", i, code);
			return 1;
		}
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	code = child(1);
	if (code != 50) {
		printf("child with a held lock: %d\n", code);
		return 1;
	}
	return site->size != 0 || site->off;
}
