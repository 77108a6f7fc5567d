// A program that starts another with an environment of its own making still
// starts it under plumb: what the runtime needs is added. Everything lives on the
// stack, as the caller may be the child of vfork or of a thread that held locks.
#define _GNU_SOURCE
#include "proc.h"
#include <alloca.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

PLUMB_REAL_DECL(int, execve, const char *, char *const *, char *const *);
PLUMB_REAL_DECL(int, execvpe, const char *, char *const *, char *const *);
PLUMB_REAL_DECL(int, fexecve, int, char *const *, char *const *);
PLUMB_REAL_DECL(int, execveat, int, const char *, char *const *, char *const *, int);
PLUMB_REAL_DECL(int, posix_spawn, pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
	char *const *, char *const *);
PLUMB_REAL_DECL(int, posix_spawnp, pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,
	char *const *, char *const *);

static const char preload[] = "LD_PRELOAD=", options[] = "PLUMB_OPTIONS=", name[] = "libplumb_rt";
static char *our_preload; // LD_PRELOAD=path of the runtime
static char *our_options; // PLUMB_OPTIONS=...

void plumb_exec_init(void) {
	const char *list = getenv("LD_PRELOAD"), *opt = getenv("PLUMB_OPTIONS");
	if (!list || !opt)
		return;
	const char *at = strstr(list, name);
	if (!at)
		return; // linked, not preloaded: exec'd programs are not ours
	const char *lo = at, *hi = at + strcspn(at, " :");
	while (lo > list && lo[-1] != ' ' && lo[-1] != ':')
		lo--;
	our_options = plumb_own(sizeof options + strlen(opt));
	char *p = plumb_own(sizeof preload + (hi - lo));
	if (!our_options || !p)
		return;
	memcpy(our_options, options, sizeof options - 1);
	strcpy(our_options + sizeof options - 1, opt);
	memcpy(p, preload, sizeof preload - 1);
	memcpy(p + sizeof preload - 1, lo, hi - lo);
	our_preload = p;
}

static size_t count(char *const *v) {
	size_t n = 0;
	while (v && v[n])
		n++;
	return n;
}

// What of ours the environment lacks. *merged gets the length of a list of
// libraries to preload that must be joined with ours.
static char **missing(char *const *env, char **room, size_t *merged) {
	size_t n = count(env), preload_at = n, options_at = n;
	*merged = 0;
	for (size_t i = 0; i < n; i++) {
		if (strncmp(env[i], preload, sizeof preload - 1) == 0)
			preload_at = i;
		if (strncmp(env[i], options, sizeof options - 1) == 0)
			options_at = i;
		room[i] = env[i];
	}
	if (options_at == n)
		room[n++] = our_options;
	if (preload_at >= count(env))
		room[n++] = our_preload;
	else if (!strstr(env[preload_at], name)) {
		*merged = strlen(our_preload) + strlen(env[preload_at]);
		room[n] = 0;
		return &room[preload_at];
	}
	room[n] = 0;
	return 0;
}

static void merge(char **slot, char *room) {
	strcpy(room, our_preload);
	strcat(room, ":");
	strcat(room, *slot + sizeof preload - 1);
	*slot = room;
}

// Not a function: alloca's memory must last until the exec.
#define WITH_OURS(env)                                                       \
	if (our_preload) {                                                       \
		char **room = alloca((count(env) + 3) * sizeof *room);               \
		size_t bytes;                                                        \
		char **slot = missing((env), room, &bytes);                          \
		if (slot)                                                            \
			merge(slot, alloca(bytes + 2));                                  \
		(env) = room;                                                        \
	}

EXPORT int PLUMB_HOOK(execve)(const char *path, char *const *argv, char *const *env) {
	WITH_OURS(env);
	return PLUMB_REAL(execve)(path, argv, env);
}
EXPORT int PLUMB_HOOK(execvpe)(const char *file, char *const *argv, char *const *env) {
	WITH_OURS(env);
	return PLUMB_REAL(execvpe)(file, argv, env);
}
EXPORT int PLUMB_HOOK(execv)(const char *path, char *const *argv) {
	char *const *env = environ;
	WITH_OURS(env);
	return PLUMB_REAL(execve)(path, argv, env);
}
EXPORT int PLUMB_HOOK(execvp)(const char *file, char *const *argv) {
	char *const *env = environ;
	WITH_OURS(env);
	return PLUMB_REAL(execvpe)(file, argv, env);
}
EXPORT int PLUMB_HOOK(fexecve)(int fd, char *const *argv, char *const *env) {
	WITH_OURS(env);
	return PLUMB_REAL(fexecve)(fd, argv, env);
}
EXPORT int PLUMB_HOOK(execveat)(int dir, const char *path, char *const *argv, char *const *env, int flags) {
	WITH_OURS(env);
	return PLUMB_REAL(execveat)(dir, path, argv, env, flags);
}
EXPORT int PLUMB_HOOK(posix_spawn)(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attr, char *const *argv, char *const *env) {
	WITH_OURS(env);
	return PLUMB_REAL(posix_spawn)(pid, path, actions, attr, argv, env);
}
EXPORT int PLUMB_HOOK(posix_spawnp)(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
		const posix_spawnattr_t *attr, char *const *argv, char *const *env) {
	WITH_OURS(env);
	return PLUMB_REAL(posix_spawnp)(pid, path, actions, attr, argv, env);
}

// The forms with the arguments in a row.
#define ARGUMENTS(first)                                  \
	size_t n = 1;                                         \
	va_list a, b;                                         \
	va_start(a, first);                                   \
	va_copy(b, a);                                        \
	if (first)                                            \
		while (va_arg(b, const char *))                   \
			n++;                                          \
	va_end(b);                                            \
	char **argv = alloca((n + 1) * sizeof *argv);         \
	argv[0] = (char *)first;                              \
	for (size_t i = 1; first && i <= n; i++)              \
		argv[i] = va_arg(a, char *)

EXPORT int PLUMB_HOOK(execl)(const char *path, const char *first, ...) {
	ARGUMENTS(first);
	va_end(a);
	return PLUMB_HOOK(execv)(path, argv);
}
EXPORT int PLUMB_HOOK(execlp)(const char *file, const char *first, ...) {
	ARGUMENTS(first);
	va_end(a);
	return PLUMB_HOOK(execvp)(file, argv);
}
EXPORT int PLUMB_HOOK(execle)(const char *path, const char *first, ...) {
	ARGUMENTS(first);
	char *const *env = va_arg(a, char *const *);
	va_end(a);
	return PLUMB_HOOK(execve)(path, argv, env);
}
