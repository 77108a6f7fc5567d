// The runtime's own file descriptors outlive what programs do to descriptors:
// daemons close all of them, shells move things onto fixed numbers, servers call
// chroot. Ours have high numbers, so the program's are what they would be
// without us, and closing them fails as if they were not open.
#define _GNU_SOURCE
#include "proc.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

PLUMB_REAL_DECL(int, close, int);
PLUMB_REAL_DECL(int, dup2, int, int);
PLUMB_REAL_DECL(int, dup3, int, int, int);
PLUMB_REAL_DECL(int, close_range, unsigned, unsigned, int);

int plumb_err_fd = 2;  // standard error as it was when the program began
static int proc_fd = -1; // /proc: a program may leave it behind by chroot
static int spare_fd = -1; // kept for the check: the program may have used up all others
static dev_t out_dev;
static ino_t out_ino;

// Not above 1024: the kernel keeps a table up to the highest number in use, and
// copies it at each fork.
static int move_high(int fd) {
	struct rlimit limit;
	long top = 1024;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 1024)
		top = limit.rlim_cur;
	int high = -EMFILE;
	for (long from = top - 16; high < 0 && from > 2; from -= from > 16 ? 16 : 1)
		high = PLUMB_SYS(SYS_fcntl, fd, F_DUPFD_CLOEXEC, from);
	return high;
}

void plumb_fds_init(void) {
	struct stat st;
	plumb_exe();
	int proc = PLUMB_SYS(SYS_openat, AT_FDCWD, "/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (proc >= 0) {
		proc_fd = move_high(proc);
		spare_fd = move_high(proc);
		PLUMB_SYS(SYS_close, proc);
	}
	if (plumb_out_fd >= 0) {
		if (PLUMB_SYS(SYS_fstat, plumb_out_fd, &st) == 0) {
			out_dev = st.st_dev;
			out_ino = st.st_ino;
		}
		return;
	}
	int fd = move_high(2); // a program that closes stderr may open a file as 2
	if (fd >= 0)
		plumb_err_fd = fd;
}

// The directory's descriptor. The system call can still close it, or a program
// that knows no libc: then its path may help.
int plumb_out_dir(void) {
	struct stat st;
	if (plumb_out_fd >= 0 && PLUMB_SYS(SYS_fstat, plumb_out_fd, &st) == 0 && st.st_dev == out_dev && st.st_ino == out_ino)
		return plumb_out_fd;
	return plumb_opt.out[0] ? PLUMB_SYS(SYS_openat, AT_FDCWD, plumb_opt.out, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
}

const char *plumb_exe(void) {
	static char path[4096];
	if (!path[0]) {
		long n = PLUMB_SYS(SYS_readlink, "/proc/self/exe", path, sizeof path - 1);
		path[n > 0 ? n : 0] = 0;
	}
	return path;
}

// A file of the process itself, below /proc.
int plumb_open_self(const char *name, int flags) {
	int fd = proc_fd >= 0 ? (int)PLUMB_SYS(SYS_openat, proc_fd, name + sizeof "/proc/" - 1, flags | O_CLOEXEC) : -EBADF;
	return fd >= 0 ? fd : (int)PLUMB_SYS(SYS_openat, AT_FDCWD, name, flags | O_CLOEXEC);
}

static int is_ours(int fd) {
	return fd > 2 && (fd == plumb_out_fd || fd == plumb_err_fd || fd == proc_fd || fd == spare_fd);
}

void plumb_spare(int use) {
	if (use && spare_fd >= 0) {
		PLUMB_SYS(SYS_close, spare_fd);
		spare_fd = -1;
	} else if (!use && spare_fd < 0 && proc_fd >= 0) {
		spare_fd = move_high(proc_fd);
	}
}

static void make_way(int fd) {
	if (PLUMB_SYS(SYS_getpid) != plumb_pid)
		return; // the child of vfork: descriptors of its own, but our memory
	int *mine = fd == plumb_out_fd ? &plumb_out_fd : fd == proc_fd ? &proc_fd : fd == spare_fd ? &spare_fd : &plumb_err_fd;
	int moved = move_high(fd);
	*mine = moved >= 0 ? moved : -1;
}

EXPORT int PLUMB_HOOK(close)(int fd) {
	if (unlikely(is_ours(fd))) {
		errno = EBADF;
		return -1;
	}
	return PLUMB_REAL(close)(fd);
}

EXPORT int PLUMB_HOOK(dup2)(int from, int to) {
	if (unlikely(is_ours(from))) {
		errno = EBADF;
		return -1;
	}
	if (unlikely(is_ours(to)))
		make_way(to);
	return PLUMB_REAL(dup2)(from, to);
}

EXPORT int PLUMB_HOOK(dup3)(int from, int to, int flags) {
	if (unlikely(is_ours(from))) {
		errno = EBADF;
		return -1;
	}
	if (unlikely(is_ours(to)))
		make_way(to);
	return PLUMB_REAL(dup3)(from, to, flags);
}

EXPORT int PLUMB_HOOK(close_range)(unsigned first, unsigned last, int flags) {
	for (unsigned fd = first; fd <= last && fd < 2048; fd++) {
		if (!is_ours(fd))
			continue;
		int e = fd > first ? PLUMB_REAL(close_range)(first, fd - 1, flags) : 0;
		if (e != 0)
			return e;
		if (fd == last)
			return 0;
		first = fd + 1;
	}
	return PLUMB_REAL(close_range)(first, last, flags);
}

EXPORT void PLUMB_HOOK(closefrom)(int first) {
	if (PLUMB_HOOK(close_range)(first < 0 ? 0 : first, ~0u, 0) == 0)
		return;
	// A kernel without close_range.
	for (int fd = first < 0 ? 0 : first; fd < 65536; fd++)
		PLUMB_HOOK(close)(fd);
}
