// Forks, in the way that its argument says.
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static volatile int stop;

__attribute__((noinline)) static void lose(int n) { memset(malloc(n), 1, n); }
__attribute__((noinline)) static void scrub(void) {
	char b[4096];
	memset(b, 0, sizeof b);
	__asm__ volatile("" ::"r"(b) : "memory");
}

static void *allocates(void *unused) {
	while (!stop) {
		char *p = malloc(50), *q = malloc(3000);
		free(p);
		free(q);
	}
	return 0;
}

// Children of threads while others allocate.
static void *forks(void *arg) {
	char *volatile mine = malloc(30);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			lose(7);
			scrub();
			exit(0);
		}
		int st;
		if (waitpid(pid, &st, 0) != pid || st != 0)
			abort();
	}
	free(mine);
	return 0;
}

int main(int argc, char **argv) {
	const char *how = argv[1];
	int st;
	char *volatile kept = malloc(5);
	if (strcmp(how, "child") == 0) {
		lose(100);
		pid_t pid = fork();
		if (pid == 0) {
			lose(11);
			lose(11);
			free(kept);
			exit(0);
		}
		waitpid(pid, &st, 0);
	}
	if (strcmp(how, "threads") == 0) {
		pthread_t t[6];
		for (int i = 0; i < 6; i++)
			pthread_create(&t[i], 0, i < 3 ? allocates : forks, 0);
		for (int i = 3; i < 6; i++)
			pthread_join(t[i], 0);
		stop = 1;
		for (int i = 0; i < 3; i++)
			pthread_join(t[i], 0);
	}
	if (strcmp(how, "vfork") == 0) {
		if (vfork() == 0)
			_exit(0);
		wait(&st);
		if (vfork() == 0) {
			execl("/bin/true", "true", (char *)0);
			_exit(1);
		}
		wait(&st);
		pid_t pid;
		char *args[] = {"true", 0};
		if (posix_spawnp(&pid, "true", 0, 0, args, environ) != 0)
			return 1;
		waitpid(pid, &st, 0);
		if (system("true") != 0)
			return 1;
	}
	if (strcmp(how, "exec") == 0) { // an environment without ours
		lose(13);
		if (fork() == 0) {
			lose(17);
			execle(argv[2], argv[2], "lose", (char *)0, (char *[]){"A=b", "LD_PRELOAD=libdl.so.2", (char *)0});
			_exit(1);
		}
		wait(&st);
		free(kept);
		return st != 0;
	}
	if (strcmp(how, "lose") == 0)
		lose(19);
	if (strcmp(how, "daemon") == 0) {
		puts("ready");
		fflush(stdout);
		if (daemon(0, 1) != 0) // keeps stderr, by which its end is seen
			return 1;
		lose(23);
	}
	if (strcmp(how, "orphan") == 0) { // its parent is killed
		if (fork() == 0) {
			lose(29);
			pid_t parent = getppid();
			printf("ready\n");
			fflush(stdout);
			while (getppid() == parent)
				usleep(1000);
			exit(0);
		}
		for (;;)
			pause();
	}
	free(kept);
	return 0;
}
