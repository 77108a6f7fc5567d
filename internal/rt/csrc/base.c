// Address space, locks, memory of the tables, words on stderr.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "table.h"

#define PAGE 4096ul

int plumb_fallback;
int plumb_uses, plumb_mixed, plumb_exiting, plumb_have_subs;

int plumb_commit(uintptr_t from, uintptr_t to) {
	from &= ~(PAGE - 1);
	to = (to + PAGE - 1) & ~(PAGE - 1);
	return mprotect((void *)from, to - from, PROT_READ | PROT_WRITE);
}

// Reserves both stretches. Without them (a small RLIMIT_AS, something mapped
// there) the program still has to run: then every block is libc's.
int plumb_reserve(void) {
	size_t bytes = HEAP_END - TABLES_BASE;
	void *p = mmap((void *)TABLES_BASE, bytes, PROT_NONE,
	               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (p == (void *)TABLES_BASE) {
		madvise(p, bytes, MADV_DONTDUMP); // a core file would be walked page by page
		return 0;
	}
	if (p != MAP_FAILED) munmap(p, bytes);
	return -1;
}

static struct plumb_lock own_lock;
static uintptr_t own_next = OWN_REST;
static uintptr_t own_end = OWN_REST;

void *plumb_own(size_t bytes) {
	bytes = (bytes + 63) & ~63ul; // whole cache lines
	plumb_lock(&own_lock);
	uintptr_t p = own_next;
	if (p + bytes > own_end) {
		uintptr_t end = (p + bytes + (256 << 10) - 1) & ~((256ul << 10) - 1);
		if (end > TABLES_BASE + ((uintptr_t)1 << 42) || plumb_commit(own_end, end) != 0) {
			plumb_unlock(&own_lock);
			return 0;
		}
		own_end = end;
	}
	own_next = p + bytes;
	plumb_unlock(&own_lock);
	return (void *)p;
}

void plumb_lock_own(void) { plumb_lock(&own_lock); }
void plumb_unlock_own(void) { plumb_unlock(&own_lock); }

_Thread_local int plumb_held TLS_FAST;
int plumb_impatient;

// 0 free, 1 held, 2 held and waited for.
void plumb_lock(struct plumb_lock *l) {
	uint32_t was = 0;
	plumb_held++;
	if (likely(__atomic_compare_exchange_n(&l->state, &was, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))) return;
	int err = errno;
	for (int i = 0; i < 100; i++) {
		__builtin_ia32_pause();
		was = 0;
		if (__atomic_load_n(&l->state, __ATOMIC_RELAXED) == 0 &&
		    __atomic_compare_exchange_n(&l->state, &was, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
			return;
	}
	struct timespec wait = {0, 100000000};
	while (__atomic_exchange_n(&l->state, 2, __ATOMIC_ACQUIRE) != 0)
		if (syscall(SYS_futex, &l->state, FUTEX_WAIT_PRIVATE, 2, plumb_impatient ? &wait : 0, 0, 0) != 0 && errno == ETIMEDOUT)
			break; // its holder is the code that crashed, or waits for us to end the process
	errno = err;
}

void plumb_unlock(struct plumb_lock *l) {
	plumb_held--;
	if (unlikely(__atomic_exchange_n(&l->state, 0, __ATOMIC_RELEASE) == 2)) {
		int err = errno;
		syscall(SYS_futex, &l->state, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
		errno = err;
	}
}

static char *number(char *end, uint64_t v, unsigned base) {
	do {
		*--end = "0123456789abcdef"[v % base];
		v /= base;
	} while (v);
	return end;
}

// %s text, %d int, %l uint64_t, %x uint64_t in hexadecimal.
void plumb_say(const char *f, ...) {
	char line[1024], digits[24];
	size_t n = 0;
	va_list a;
	va_start(a, f);
	for (const char *s = "plumb: "; *s; s++) line[n++] = *s;
	for (; *f && n < sizeof line - 2; f++) {
		if (*f != '%') {
			line[n++] = *f;
			continue;
		}
		digits[23] = 0;
		const char *s = "";
		int v;
		switch (*++f) {
		case 's': s = va_arg(a, const char *); break;
		case 'l': s = number(digits + 23, va_arg(a, uint64_t), 10); break;
		case 'x': s = number(digits + 23, va_arg(a, uint64_t), 16); break;
		case 'd':
			v = va_arg(a, int);
			if (v < 0) line[n++] = '-';
			s = number(digits + 23, v < 0 ? -(int64_t)v : v, 10);
			break;
		}
		while (*s && n < sizeof line - 2) line[n++] = *s++;
	}
	va_end(a);
	line[n++] = '\n';
	int err = errno;
	if (write(plumb_err_fd, line, n) < 0) {
		// Nobody to tell.
	}
	errno = err;
}

void *plumb_next(const char *name) {
#ifdef PLUMB_STATIC
	return 0;
#else
	return dlsym(RTLD_NEXT, name);
#endif
}
