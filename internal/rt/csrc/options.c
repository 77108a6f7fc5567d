// Settings, from the environment variable PLUMB_OPTIONS: key=value:key=value.
#define _GNU_SOURCE
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "rt.h"

struct plumb_options plumb_opt = {.lost = 1, .forgotten = 1, .on_leak = 'r', .depth = 16};
int plumb_out_fd = -1;

extern void *__libc_stack_end __attribute__((weak));

// The first allocation comes before libc has set environ: the environment lies
// above the arguments, where the kernel put it.
static const char *find(const char *name) {
	char **env = environ;
	if (!env && &__libc_stack_end && __libc_stack_end) {
		uintptr_t *p = __libc_stack_end;
		env = (char **)(p + 1 + *p + 1);
	}
	size_t n = strlen(name);
	for (; env && *env; env++)
		if (strncmp(*env, name, n) == 0 && (*env)[n] == '=') return *env + n + 1;
	return 0;
}

static uint64_t to_number(const char *s, size_t n) {
	uint64_t v = 0;
	for (size_t i = 0; i < n && s[i] >= '0' && s[i] <= '9'; i++) v = v * 10 + (s[i] - '0');
	return v;
}

static void set(const char *key, size_t nkey, const char *value, size_t n) {
#define KEY(text) (nkey == sizeof text - 1 && memcmp(key, text, nkey) == 0)
	if (KEY("out") && n < sizeof plumb_opt.out) {
		memcpy(plumb_opt.out, value, n);
		plumb_opt.out[n] = 0;
	} else if (KEY("kinds")) {
		plumb_opt.lost = memmem(value, n, "lost", 4) != 0;
		plumb_opt.forgotten = memmem(value, n, "forgotten", 9) != 0;
	} else if (KEY("on_leak") && n) plumb_opt.on_leak = value[0];
	else if (KEY("after_bytes")) plumb_opt.after_bytes = to_number(value, n);
	else if (KEY("exit_code")) plumb_opt.exit_code = to_number(value, n);
	else if (KEY("signal")) plumb_opt.signal = to_number(value, n);
	else if (KEY("exit")) plumb_opt.exit = to_number(value, n);
	else if (KEY("mmap")) plumb_opt.mmap = to_number(value, n);
	else if (KEY("only")) plumb_opt.only = to_number(value, n);
	else if (KEY("depth")) plumb_opt.depth = to_number(value, n);
#undef KEY
}

void plumb_read_options(void) {
	const char *s = find("PLUMB_OPTIONS");
	while (s && *s) {
		size_t n = strcspn(s, ":");
		const char *eq = memchr(s, '=', n);
		if (eq) set(s, eq - s, eq + 1, n - (eq + 1 - s));
		s += n;
		if (*s) s++;
	}
	// Opened now: the program may change its directory or root.
	if (plumb_opt.out[0]) {
		int fd = open(plumb_opt.out, O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0) {
			// Out of the way of programs that count on the first numbers.
			for (int want = 1000; want >= 250 && plumb_out_fd < 0; want /= 2) plumb_out_fd = fcntl(fd, F_DUPFD_CLOEXEC, want);
			if (plumb_out_fd >= 0) close(fd);
			else plumb_out_fd = fd;
		}
	}
}
