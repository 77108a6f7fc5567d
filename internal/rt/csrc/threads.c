// Threads as they begin and end. A thread takes over the context of the call
// that created it; what its thread-local variables and keys still hold when it
// ends goes away then.
#define _GNU_SOURCE
#include "proc.h"
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <threads.h>

enum { MAX_RECORDS = 1 << 16 };

struct plumb_record *plumb_records;
_Atomic uint32_t plumb_nrecords;
_Thread_local struct plumb_record *plumb_me TLS_FAST;
struct plumb_lock plumb_records_lock;
_Thread_local int plumb_creating TLS_FAST;
EXPORT _Thread_local uint32_t plumb_returned TLS_FAST;
static pthread_key_t key;
static int have_key;

PLUMB_REAL_DECL(int, pthread_create, pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
PLUMB_REAL_DECL(int, thrd_create, thrd_t *, thrd_start_t, void *);
PLUMB_REAL_DECL(int, pthread_join, pthread_t, void **);
PLUMB_REAL_DECL(int, pthread_tryjoin_np, pthread_t, void **);
PLUMB_REAL_DECL(int, pthread_timedjoin_np, pthread_t, void **, const struct timespec *);
PLUMB_REAL_DECL(int, pthread_clockjoin_np, pthread_t, void **, clockid_t, const struct timespec *);
PLUMB_REAL_DECL(int, pthread_detach, pthread_t);
PLUMB_REAL_DECL(int, thrd_join, thrd_t, int *);
PLUMB_REAL_DECL(int, thrd_detach, thrd_t);

static struct plumb_record *new_record(void) {
	plumb_lock(&plumb_records_lock);
	uint32_t n = atomic_load(&plumb_nrecords), i = 0;
	while (i < n && atomic_load(&plumb_records[i].state))
		i++;
	struct plumb_record *r = i < MAX_RECORDS ? &plumb_records[i] : 0;
	if (r) {
		uintptr_t alt = r->alt;
		memset(r, 0, sizeof *r);
		r->alt = alt;
		atomic_store(&r->state, STARTING);
		if (i == n)
			atomic_store(&plumb_nrecords, n + 1);
	}
	plumb_unlock(&plumb_records_lock);
	return r;
}

// Fills in where the calling thread's stack is. An older thread's record of the
// same stack, which libc has given out again, is over.
void plumb_record_this(struct plumb_record *r, int is_main) {
	uintptr_t fs = (uintptr_t)__builtin_thread_pointer(), lo = 0, hi = 0;
	pthread_attr_t a;
	void *at;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &a) == 0) {
		if (pthread_attr_getstack(&a, &at, &size) == 0) {
			lo = (uintptr_t)at;
			hi = lo + size;
		}
		pthread_attr_destroy(&a);
	}
	plumb_lock(&plumb_records_lock);
	for (uint32_t i = 0; i < atomic_load(&plumb_nrecords); i++) {
		struct plumb_record *o = &plumb_records[i];
		if (o != r && atomic_load(&o->state) == RUNNING && o->lo < hi && lo < o->hi && !o->is_main)
			atomic_store(&o->state, 0);
	}
	plumb_unlock(&plumb_records_lock);
	r->tid = PLUMB_SYS(SYS_gettid);
	r->fs = fs;
	r->lo = lo;
	r->hi = hi;
	r->is_main = is_main;
	plumb_me = r;
	atomic_store(&r->state, RUNNING);
	if (have_key)
		pthread_setspecific(key, r);
	plumb_alt_stack(r);
}

void plumb_records_init(void) {
	plumb_records = plumb_own(MAX_RECORDS * sizeof *plumb_records);
	have_key = pthread_key_create(&key, plumb_thread_ending) == 0;
	plumb_record_this(new_record(), 1);
}

struct plumb_record *plumb_record_of(uintptr_t fs) {
	for (uint32_t i = 0; i < atomic_load(&plumb_nrecords); i++) {
		struct plumb_record *r = &plumb_records[i];
		if (r->fs == fs && atomic_load(&r->state) == RUNNING && !atomic_load(&r->let_go))
			return r;
	}
	return 0;
}

// The other threads do not exist in the child. Their stacks stay as they were,
// and what they held was not lost by anything the child did: they stay roots.
void plumb_records_after_fork(void) {
	for (uint32_t i = 0; i < atomic_load(&plumb_nrecords); i++) {
		struct plumb_record *r = &plumb_records[i];
		if (r == plumb_me)
			r->tid = PLUMB_SYS(SYS_gettid);
		else if (atomic_load(&r->state) == STARTING || (atomic_load(&r->state) == RUNNING && !r->ended)) {
			atomic_store(&r->state, ORPHAN);
			plumb_orphaned = 1;
		}
	}
}

// ---- begin

static void begin(struct plumb_record *r) {
	plumb_record_this(r, 0);
	plumb_ctx = r->ctx;
}

static void *start(void *arg) {
	struct plumb_record *r = arg;
	void *(*fn)(void *) = (void *(*)(void *))r->fn;
	begin(r);
	void *a = (void *)r->arg; // from here on the thread function's to keep
	r->arg = 0;
	void *result = fn(a);
	r->ended_at = plumb_returned;
	return result;
}

static int start_c11(void *arg) {
	struct plumb_record *r = arg;
	int (*fn)(void *) = (int (*)(void *))r->fn;
	begin(r);
	void *a = (void *)r->arg;
	r->arg = 0;
	int result = fn(a);
	r->ended_at = plumb_returned;
	return result;
}

static struct plumb_record *prepare(uintptr_t fn, void *arg, uintptr_t ra, uintptr_t sp) {
	plumb_proc_init();
	struct plumb_record *r = new_record();
	if (!r)
		return 0;
	uint32_t flags = 0;
	r->ctx = plumb_origin(ra, sp, &flags);
	r->fn = fn;
	r->arg = (uintptr_t)arg;
	r->own_stack = 1;
	return r;
}

#define CALLER_SP ((uintptr_t)__builtin_frame_address(0) + 16)

EXPORT int PLUMB_HOOK(pthread_create)(pthread_t *t, const pthread_attr_t *attr, void *(*fn)(void *), void *arg) {
	struct plumb_record *r = prepare((uintptr_t)fn, arg, (uintptr_t)__builtin_return_address(0), CALLER_SP);
	if (!r)
		return PLUMB_REAL(pthread_create)(t, attr, fn, arg);
	void *at;
	size_t size;
	int detached;
	if (attr && pthread_attr_getstack(attr, &at, &size) == 0 && (uintptr_t)at + size != 0)
		r->own_stack = 0; // the program's memory: it may use it for something else later
	if (attr && pthread_attr_getdetachstate(attr, &detached) == 0 && detached == PTHREAD_CREATE_DETACHED)
		atomic_store(&r->let_go, 1);
	plumb_creating++;
	int e = PLUMB_REAL(pthread_create)(t, attr, start, r);
	plumb_creating--;
	if (e)
		atomic_store(&r->state, 0);
	return e;
}

EXPORT int PLUMB_HOOK(thrd_create)(thrd_t *t, thrd_start_t fn, void *arg) {
	struct plumb_record *r = prepare((uintptr_t)fn, arg, (uintptr_t)__builtin_return_address(0), CALLER_SP);
	if (!r)
		return PLUMB_REAL(thrd_create)(t, fn, arg);
	plumb_creating++;
	int e = PLUMB_REAL(thrd_create)(t, start_c11, r);
	plumb_creating--;
	if (e != thrd_success)
		atomic_store(&r->state, 0);
	return e;
}

// ---- end

static int drop_tls(struct dl_phdr_info *info, size_t size, void *event) {
	(void)size;
	uint32_t *e = event;
	for (int i = 0; info->dlpi_tls_data && i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			plumb_drop_words(info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz, e[0], e[1]);
	return 0;
}

// Destructor of our key, which runs in each of the rounds in which libc calls the
// destructors of keys. The first round sees keys that have no destructor, the
// last comes when the program's own destructors have released what they can.
void plumb_thread_ending(void *record) {
	struct plumb_record *r = record;
	uint32_t event[2];
	if (r->ended_at) {
		event[0] = r->ended_at;
		event[1] = r->ended_in ? r->ended_in : r->ctx;
	} else {
		plumb_event_at(r->ctx, PLUMB_THREAD_END, event);
	}
	if (r->rounds++ == 0)
		for (unsigned k = 0; k < PTHREAD_KEYS_MAX; k++) {
			void *v = pthread_getspecific(k);
			if (plumb_in_heap((uintptr_t)v))
				plumb_drop(v, event[0], event[1]);
		}
	if (r->rounds < PTHREAD_DESTRUCTOR_ITERATIONS) {
		pthread_setspecific(key, r);
		return;
	}
	dl_iterate_phdr(drop_tls, event);
	r->ended = 1;
	plumb_no_alt_stack();
	plumb_thread_end();
}

// A thread's result stays in libc's record of the thread until somebody joins it.
static void let_go(pthread_t t) {
	struct plumb_record *r = plumb_record_of((uintptr_t)t);
	if (r)
		atomic_store(&r->let_go, 1);
}

// After a join libc's record of the thread holds its result no more. One that had
// not begun when the join was called has its record by now, and has ended. The
// record may also be another thread's by now.
static void joined(uintptr_t fs, struct plumb_record *r, int tid) {
	if (r) {
		if (r->tid == tid)
			atomic_store(&r->let_go, 1);
		return;
	}
	r = plumb_record_of(fs);
	if (r && r->ended)
		atomic_store(&r->let_go, 1);
}

// A result that the joining thread does not ask for goes away at the join.
static void unasked(void *value, uintptr_t ra, uintptr_t sp) {
	uint32_t flags = 0, event[2];
	if (!plumb_in_heap((uintptr_t)value))
		return;
	plumb_event_at(plumb_origin(ra, sp, &flags), PLUMB_DROPPED, event);
	plumb_drop(value, event[0], event[1]);
}

#define JOIN(function, ...)                                                                    \
	struct plumb_record *r = plumb_record_of((uintptr_t)t);                                 \
	int tid = r ? r->tid : 0;                                                               \
	void *value = 0;                                                                        \
	int e = PLUMB_REAL(function)(t, result ? result : &value, ##__VA_ARGS__);               \
	if (e == 0) {                                                                           \
		joined((uintptr_t)t, r, tid);                                                       \
		unasked(value, (uintptr_t)__builtin_return_address(0), CALLER_SP);                  \
	}                                                                                       \
	return e

EXPORT int PLUMB_HOOK(pthread_join)(pthread_t t, void **result) {
	JOIN(pthread_join);
}
EXPORT int PLUMB_HOOK(pthread_tryjoin_np)(pthread_t t, void **result) {
	JOIN(pthread_tryjoin_np);
}
EXPORT int PLUMB_HOOK(pthread_timedjoin_np)(pthread_t t, void **result, const struct timespec *until) {
	JOIN(pthread_timedjoin_np, until);
}
EXPORT int PLUMB_HOOK(pthread_clockjoin_np)(pthread_t t, void **result, clockid_t clock, const struct timespec *until) {
	JOIN(pthread_clockjoin_np, clock, until);
}
EXPORT int PLUMB_HOOK(pthread_detach)(pthread_t t) {
	let_go(t); // before the call: afterwards the thread may be another one
	return PLUMB_REAL(pthread_detach)(t);
}
EXPORT int PLUMB_HOOK(thrd_join)(thrd_t t, int *result) {
	struct plumb_record *r = plumb_record_of((uintptr_t)t);
	int tid = r ? r->tid : 0, e = PLUMB_REAL(thrd_join)(t, result);
	if (e == thrd_success)
		joined((uintptr_t)t, r, tid);
	return e;
}
EXPORT int PLUMB_HOOK(thrd_detach)(thrd_t t) {
	let_go(t);
	return PLUMB_REAL(thrd_detach)(t);
}
