// Stops all threads of the process without ptrace, which containers forbid: each
// task that /proc/self/task lists gets a signal; its handler notes the registers
// and waits. Tasks that appear meanwhile are found by listing again until a
// listing shows nothing new.
#define _GNU_SOURCE
#include "proc.h"
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

enum {
	MAX_THREADS = 1 << 16,
	SIGNALLED = 1, // told to stop, no answer yet
	ANSWERING,     // its handler fills in the registers
	STOPPED,       // waits
	LEFT,          // goes on
	GONE,          // ended, or a main thread that called pthread_exit
	SILENT,        // did not answer in time
	BUSY,          // was inside the runtime: to be told again
	MAX_BUSY = 200, // a thread that is there for so long waits for something
	STUCK_MS = 2000, // how long to wait for an answer when none arrives
};

static struct plumb_task *tasks; // [0] is none
static int ntasks;
static int *seen; // hash of tids: index into threads, 0 none
static _Atomic uint32_t owner;     // tid of the thread that has stopped the world
static _Atomic uint32_t stopping;  // number of the current stop, 0 if none
static _Atomic uint32_t answers;   // changes with each answer
static uint32_t last_stop;
static int depth;

static struct plumb_range code; // the runtime's own

static int gettid_raw(void) { return PLUMB_SYS(SYS_gettid); }

// Which system calls may be started again when the stop signal interrupted them.
// The kernel restarts most by itself (SA_RESTART) but never these; the program
// must not see an EINTR that no signal of its own caused. close is not among
// them: it has closed the file even when it answers EINTR.
static int restartable(uint32_t nr) {
	switch (nr) {
	case SYS_poll: case SYS_ppoll: case SYS_select: case SYS_pselect6:
	case SYS_epoll_wait: case SYS_epoll_pwait: case SYS_epoll_pwait2:
	case SYS_nanosleep: case SYS_clock_nanosleep: case SYS_pause:
	case SYS_rt_sigsuspend: case SYS_rt_sigtimedwait: case SYS_futex:
	case SYS_semop: case SYS_semtimedop: case SYS_msgsnd: case SYS_msgrcv:
	case SYS_io_getevents: case SYS_recvfrom: case SYS_recvmsg: case SYS_recvmmsg:
	case SYS_accept: case SYS_accept4: case SYS_connect: case SYS_sendto: case SYS_sendmsg:
	case SYS_read: case SYS_write: case SYS_readv: case SYS_writev:
		return 1;
	}
	return 0;
}

// The number of the interrupted call is gone, but the code that made the call is
// mov $nr, %eax; syscall. Sets the thread back to before it.
void plumb_restart_call(ucontext_t *uc) {
	greg_t *r = uc->uc_mcontext.gregs;
	if (r[REG_RAX] != -EINTR)
		return;
	// The bytes before the program counter are in the same page, or the page
	// before is code as well: nothing starts with the second half of syscall.
	const uint8_t *pc = (const uint8_t *)r[REG_RIP];
	if (pc[-2] != 0x0f || pc[-1] != 0x05 || pc[-7] != 0xb8)
		return;
	uint32_t nr;
	memcpy(&nr, pc - 6, 4);
	if (!restartable(nr))
		return;
	r[REG_RAX] = nr;
	r[REG_RIP] -= 2;
}

static void copy_registers(struct plumb_task *t, const ucontext_t *uc) {
	static const int which[15] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
	for (int i = 0; i < 15; i++)
		t->regs[i] = uc->uc_mcontext.gregs[which[i]];
	t->sp = uc->uc_mcontext.gregs[REG_RSP];
	PLUMB_SYS(SYS_arch_prctl, 0x1003 /* ARCH_GET_FS */, &t->fs);
	// The vector registers lie in the signal's frame: a copy may be half done.
	const char *fp = (const char *)uc->uc_mcontext.fpregs;
	uint32_t magic = 0, size = 0;
	if (fp) {
		memcpy(&magic, fp + 464, 4);
		memcpy(&size, fp + 468, 4);
	}
	t->vector.lo = (uintptr_t)fp;
	t->vector.hi = fp ? (uintptr_t)fp + (magic == 0x46505853 && size < 65536 ? size : 512) : 0;
}

int plumb_in_runtime(const ucontext_t *uc) {
	uintptr_t pc = uc->uc_mcontext.gregs[REG_RIP];
	return pc - code.lo < code.hi - code.lo;
}

void plumb_stop_handler(int sig, siginfo_t *info, void *context) {
	(void)sig;
	if (info->si_code != SI_QUEUE)
		return;
	uint64_t value = (uint64_t)info->si_value.sival_ptr;
	uint32_t stop = value >> 32;
	struct plumb_task *t = &tasks[(uint32_t)value % MAX_THREADS];
	plumb_restart_call(context);
	uint32_t expected = SIGNALLED;
	if (atomic_load(&stopping) != stop || t->tid != gettid_raw() ||
	    !atomic_compare_exchange_strong(&t->state, &expected, ANSWERING))
		return; // a stop that is over
	// In the middle of malloc or free a block may be alive whose address is
	// nowhere yet, or no more. A few instructions later it is different. A thread
	// that waits for one of our locks has nothing in its hands.
	if (plumb_in_runtime(context) && plumb_held == 0 && t->busy < MAX_BUSY) {
		t->busy++;
		atomic_store(&t->state, BUSY);
		atomic_fetch_add(&answers, 1);
		plumb_futex_wake(&answers);
		return;
	}
	copy_registers(t, context);
	atomic_store(&t->state, STOPPED);
	atomic_fetch_add(&answers, 1);
	plumb_futex_wake(&answers);
	while (atomic_load(&stopping) == stop)
		plumb_futex_wait(&stopping, stop, 0);
	atomic_store(&t->state, LEFT);
	atomic_fetch_add(&answers, 1);
	plumb_futex_wake(&answers);
}

static void tell(int slot, uint32_t stop, int pid) {
	siginfo_t info;
	memset(&info, 0, sizeof info);
	info.si_signo = PLUMB_STOP_SIGNAL;
	info.si_code = SI_QUEUE;
	info.si_pid = pid;
	info.si_value.sival_ptr = (void *)((uint64_t)stop << 32 | (uint32_t)slot);
	long e = PLUMB_SYS(SYS_rt_tgsigqueueinfo, pid, tasks[slot].tid, PLUMB_STOP_SIGNAL, &info);
	if (e == -ESRCH)
		atomic_store(&tasks[slot].state, GONE);
	else if (e < 0) // the queue of signals is full: the thread cannot be told
		atomic_store(&tasks[slot].state, SILENT);
}

static int known(int tid) { // adds tid if it is new
	uint32_t h = (uint32_t)tid * 2654435761u;
	for (;; h++) {
		int *s = &seen[h % (2 * MAX_THREADS)];
		if (*s == 0) {
			if (ntasks < MAX_THREADS)
				*s = ntasks;
			return 0;
		}
		if (tasks[*s].tid == tid)
			return 1;
	}
}

struct dirent64_raw {
	uint64_t ino, off;
	uint16_t len;
	uint8_t type;
	char name[];
};

// Tells each task that was not told yet; returns how many those were.
static int tell_new(uint32_t stop, int self) {
	int pid = PLUMB_SYS(SYS_getpid), fresh = 0;
	int dir = plumb_open_self("/proc/self/task", O_RDONLY | O_DIRECTORY);
	if (dir < 0)
		return 0;
	static char buffer[8192] __attribute__((aligned(8)));
	long n;
	while ((n = PLUMB_SYS(SYS_getdents64, dir, buffer, sizeof buffer)) > 0) {
		for (long at = 0; at < n;) {
			struct dirent64_raw *d = (struct dirent64_raw *)(buffer + at);
			at += d->len;
			int tid = 0;
			for (const char *p = d->name; *p >= '0' && *p <= '9'; p++)
				tid = tid * 10 + (*p - '0');
			if (tid == 0 || tid == self || known(tid) || ntasks == MAX_THREADS)
				continue;
			struct plumb_task *t = &tasks[ntasks];
			memset(t, 0, sizeof *t);
			t->tid = tid;
			atomic_store(&t->state, SIGNALLED);
			tell(ntasks++, stop, pid);
			fresh++;
		}
	}
	PLUMB_SYS(SYS_close, dir);
	return fresh;
}

// A main thread that called pthread_exit stays in the listing but never answers.
static int is_zombie(int tid) {
	char path[64] = "/proc/self/task/", digits[12], text[256];
	int n = 0, at = strlen(path);
	for (int v = tid; v; v /= 10)
		digits[n++] = '0' + v % 10;
	while (n)
		path[at++] = digits[--n];
	memcpy(path + at, "/stat", 6);
	int fd = plumb_open_self(path, O_RDONLY);
	if (fd < 0)
		return fd == -ENOENT || fd == -ESRCH;
	long got = PLUMB_SYS(SYS_read, fd, text, sizeof text - 1);
	PLUMB_SYS(SYS_close, fd);
	for (long i = got - 1; i > 0; i--) // the name in parentheses may hold any bytes
		if (text[i] == ')')
			return i + 2 < got && (text[i + 2] == 'Z' || text[i + 2] == 'X');
	return 0;
}

static int unanswered(void) {
	int n = 0;
	for (int i = 1; i < ntasks; i++) {
		uint32_t s = atomic_load(&tasks[i].state);
		n += s == SIGNALLED || s == ANSWERING || s == BUSY;
	}
	return n;
}

static void tell_again(uint32_t stop) {
	int pid = PLUMB_SYS(SYS_getpid), paused = 0;
	for (int i = 1; i < ntasks; i++)
		if (atomic_load(&tasks[i].state) == BUSY) {
			// A signal that is there when the handler returns would find the
			// thread where it was.
			if (!paused++)
				plumb_pause(tasks[i].busy < MAX_BUSY / 2 ? 20000 : 1000000);
			atomic_store(&tasks[i].state, SIGNALLED);
			tell(i, stop, pid);
		}
}

// Waits until all threads told so far have answered; gives those up that do not.
static void await_answers(uint32_t stop) {
	long progress = plumb_now();
	int before = -1;
	for (int round = 0;; round++) {
		uint32_t count = atomic_load(&answers);
		int left = unanswered();
		if (left == 0)
			return;
		long now = plumb_now();
		if (left != before) {
			before = left;
			progress = now;
		}
		int give_up = now - progress > STUCK_MS * 1000000L;
		for (int i = 1; i < ntasks && round % 8 == 7; i++) {
			uint32_t expected = SIGNALLED;
			if (atomic_load(&tasks[i].state) == SIGNALLED && (give_up || is_zombie(tasks[i].tid)))
				atomic_compare_exchange_strong(&tasks[i].state, &expected,
					is_zombie(tasks[i].tid) ? GONE : SILENT);
		}
		tell_again(stop);
		plumb_futex_wait(&answers, count, 2000000);
	}
}

static void take_world(uint32_t self) {
	uint32_t nobody = 0;
	plumb_held++;
	while (nobody = 0, !atomic_compare_exchange_strong(&owner, &nobody, self))
		plumb_futex_wait(&owner, nobody, 100000000); // this thread can be stopped here
	plumb_held--;
}

static void leave_world(void) {
	atomic_store(&owner, 0);
	plumb_futex_wake(&owner);
}

#ifdef PLUMB_STATIC
static void find_code(void) { code = (struct plumb_range){(uintptr_t)__start_plumb_text, (uintptr_t)__stop_plumb_text}; }
#else
static int is_code(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		uintptr_t lo = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, hi = lo + info->dlpi_phdr[i].p_memsz;
		if (info->dlpi_phdr[i].p_type == PT_LOAD && lo <= (uintptr_t)is_code && (uintptr_t)is_code < hi) {
			code = (struct plumb_range){lo, hi};
			return 1;
		}
	}
	return 0;
}
static void find_code(void) { dl_iterate_phdr(is_code, 0); }
#endif

void plumb_tasks_init(void) {
	find_code();
	seen = plumb_own(2 * MAX_THREADS * sizeof *seen);
	tasks = plumb_own(MAX_THREADS * sizeof *tasks);
}

// plumb_tasks_stop returns how many threads did not answer.
int plumb_tasks_stop(void) {
	uint32_t self = gettid_raw();
	if (atomic_load(&owner) == self) { // a crash while the world is stopped
		depth++;
		return 0;
	}
	take_world(self);
	depth = 1;
	ntasks = 1; // 0 means none in the hash
	memset(seen, 0, 2 * MAX_THREADS * sizeof *seen);
	if (++last_stop == 0)
		last_stop = 1;
	atomic_store(&stopping, last_stop);
	do
		await_answers(last_stop);
	while (tell_new(last_stop, self));
	int silent = 0;
	for (int i = 1; i < ntasks; i++)
		silent += atomic_load(&tasks[i].state) == SILENT;
	return silent;
}

void plumb_tasks_start(void) {
	if (--depth)
		return;
	atomic_store(&stopping, 0);
	plumb_futex_wake(&stopping);
	// The next stop uses the slots again: all must have left theirs.
	for (long start = plumb_now(); plumb_now() - start < STUCK_MS * 1000000L;) {
		uint32_t count = atomic_load(&answers);
		int here = 0;
		for (int i = 1; i < ntasks; i++)
			here += atomic_load(&tasks[i].state) == STOPPED;
		if (!here)
			break;
		plumb_futex_wait(&answers, count, 2000000);
	}
	leave_world();
}

const struct plumb_task *plumb_task_at(int i) {
	if (i + 1 >= ntasks)
		return 0;
	return &tasks[i + 1];
}
int plumb_task_state(const struct plumb_task *t) {
	uint32_t s = atomic_load(&((struct plumb_task *)t)->state);
	return s == STOPPED ? TASK_STOPPED : s == SILENT ? TASK_SILENT : TASK_GONE;
}

// Fork must not copy a world in the middle of a stop.
void plumb_tasks_before_fork(void) { take_world(gettid_raw()); }
void plumb_tasks_after_fork(void) { leave_world(); }
