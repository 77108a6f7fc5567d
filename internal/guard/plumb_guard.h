/*
 * plumb_guard.h - releases what some paths of a function forget, and nothing else.
 *
 * Written by `plumb fix --guard`. This file is in the public domain: use, change,
 * copy and publish it as you like. There is no warranty of any kind.
 *
 * Some leaks have no place where a plain free(p) would be right: on one path p is
 * a new object there, on another it is a string constant, or released already.
 * So the program keeps a record of the objects of one allocation that have not
 * been released yet:
 *
 *     PLUMB_GUARD_SITE(parse_name);                  the record, in each file that uses it
 *
 *     int parse(int n)
 *     {
 *         PLUMB_GUARD_CALL(parse_name);              this call of parse
 *         char *name = "none";
 *         if (n > 0)
 *             name = plumb_guard_add(parse_name, malloc(n));
 *         ...
 *         free(plumb_guard_remove(parse_name, name));        each other release
 *         ...
 *         if (plumb_guard_take(parse_name, name))            after the last use
 *             free(name);
 *     }
 *
 * take says yes at most once for an object, only in the call that has added it, and
 * not after remove: objects of recursive calls, of other threads and of calls that are
 * long over are left alone. When in doubt (no memory for the record, a lock whose
 * holder fork did not copy) the answer is no: the leak stays, nothing worse happens.
 *
 *     plumb_guard_add(site, p)        p is new; gives p back
 *     plumb_guard_remove(site, p)     p is about to be released, or given to others; gives p back
 *     plumb_guard_forget(site, p)     the same in other functions than the one that adds
 *     plumb_guard_take(site, p)       is p still to be released? Who asks does it
 *     plumb_guard_fix(site, release)  releases all that this call has added and not removed
 *     plumb_guard_done(site)          others have got what this call has added and not removed
 *
 * For any number of threads, in C89 and later, C++98 and later. The files of one site
 * share it by its name. They have to be linked together, as a program or as shared
 * libraries; files that only dlopen() brings together do not share. Options:
 *
 *     PLUMB_GUARD_BITS=n   2 to the power of n slots a site; 8 unless given
 *     PLUMB_GUARD_OFF      records nothing, releases nothing: the program as it was
 */
#ifndef PLUMB_GUARD_H
#define PLUMB_GUARD_H

#include <stddef.h>
#include <stdlib.h>

/* Functions are copied into each file that uses them. */
#if defined(__GNUC__)
#define PLUMB_GUARD_FN static __inline__ __attribute__((unused))
#elif defined(__cplusplus) || defined(_MSC_VER) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define PLUMB_GUARD_FN static inline
#else
#define PLUMB_GUARD_FN static
#endif

#ifdef __cplusplus
#define PLUMB_GUARD_C extern "C"
#else
#define PLUMB_GUARD_C extern
#endif

/* One variable for all files that define it. Other compilers need PLUMB_GUARD_ELSEWHERE
   defined in all files of a site but one. */
#if defined(_WIN32)
#define PLUMB_GUARD_ONE __declspec(selectany)
#elif defined(__GNUC__)
#define PLUMB_GUARD_ONE __attribute__((weak, visibility("default")))
#else
#define PLUMB_GUARD_ONE
#endif

/* One call of the function that adds: the number of what it added first, 0 when
   it has added nothing. */
struct plumb_guard_frame {
	unsigned long first;
};

#if defined(PLUMB_GUARD_OFF) || defined(__plumb__)

struct plumb_guard_site {
	char unused;
};

#ifdef PLUMB_GUARD_ELSEWHERE
#define PLUMB_GUARD_SITE(name) PLUMB_GUARD_C struct plumb_guard_site name[1]
#else
#define PLUMB_GUARD_SITE(name)                                            \
	PLUMB_GUARD_C PLUMB_GUARD_ONE struct plumb_guard_site name[1];    \
	struct plumb_guard_site name[1] = {{0}}
#endif

#endif

#if defined(PLUMB_GUARD_OFF) && !defined(__plumb__)

PLUMB_GUARD_FN void plumb_guard_record(struct plumb_guard_site *s, struct plumb_guard_frame *f, const volatile void *p)
{
	(void)s, (void)f, (void)p;
}

PLUMB_GUARD_FN void plumb_guard_forget(struct plumb_guard_site *s, const volatile void *p)
{
	(void)s, (void)p;
}

PLUMB_GUARD_FN int plumb_guard_claim(struct plumb_guard_site *s, struct plumb_guard_frame *f, const volatile void *p)
{
	(void)s, (void)f, (void)p;
	return 0;
}

PLUMB_GUARD_FN void *plumb_guard_next(struct plumb_guard_site *s, struct plumb_guard_frame *f)
{
	(void)s, (void)f;
	return NULL;
}

PLUMB_GUARD_FN void plumb_guard_close(struct plumb_guard_site *s, struct plumb_guard_frame *f)
{
	(void)s, (void)f;
}

#elif !defined(__plumb__) /* the record */

#ifndef PLUMB_GUARD_BITS
#define PLUMB_GUARD_BITS 8
#endif
#define PLUMB_GUARD_SLOTS (1 << PLUMB_GUARD_BITS)

/* How many objects a site can hold without asking malloc. */
#define PLUMB_GUARD_POOL 32

/* A lock: TRY gives 0 to whom it lets in. READ and WRITE are for words that are
   also read without the lock. */
#if defined(__ATOMIC_ACQUIRE) && !defined(PLUMB_GUARD_MUTEX) /* GCC, clang and what follows them */
typedef int plumb_guard_lock;
typedef size_t plumb_guard_word;
#define PLUMB_GUARD_TRY(l) __atomic_exchange_n(l, 1, __ATOMIC_ACQUIRE)
#define PLUMB_GUARD_UNLOCK(l) __atomic_store_n(l, 0, __ATOMIC_RELEASE)
#define PLUMB_GUARD_READ(w) __atomic_load_n(w, __ATOMIC_RELAXED)
#define PLUMB_GUARD_WRITE(w, v) __atomic_store_n(w, v, __ATOMIC_RELAXED)
#elif defined(_MSC_VER)
#include <intrin.h>
typedef long plumb_guard_lock;
typedef volatile size_t plumb_guard_word;
#define PLUMB_GUARD_TRY(l) _InterlockedExchange(l, 1)
#define PLUMB_GUARD_UNLOCK(l) _InterlockedExchange(l, 0)
#define PLUMB_GUARD_READ(w) (*(w))
#define PLUMB_GUARD_WRITE(w, v) (*(w) = (v))
#elif defined(__unix__) || defined(__unix) || defined(__APPLE__)
#include <pthread.h>
typedef pthread_mutex_t plumb_guard_lock;
typedef volatile size_t plumb_guard_word;
#define PLUMB_GUARD_UNLOCKED PTHREAD_MUTEX_INITIALIZER
#define PLUMB_GUARD_TRY(l) pthread_mutex_trylock(l)
#define PLUMB_GUARD_UNLOCK(l) pthread_mutex_unlock(l)
#define PLUMB_GUARD_READ(w) (*(w))
#define PLUMB_GUARD_WRITE(w, v) (*(w) = (v))
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__STDC_NO_ATOMICS__)
#include <stdatomic.h>
typedef atomic_int plumb_guard_lock;
typedef atomic_size_t plumb_guard_word;
#define PLUMB_GUARD_TRY(l) atomic_exchange_explicit(l, 1, memory_order_acquire)
#define PLUMB_GUARD_UNLOCK(l) atomic_store_explicit(l, 0, memory_order_release)
#define PLUMB_GUARD_READ(w) atomic_load_explicit(w, memory_order_relaxed)
#define PLUMB_GUARD_WRITE(w, v) atomic_store_explicit(w, v, memory_order_relaxed)
#else
#error "plumb_guard.h knows no atomic operations of this compiler; define PLUMB_GUARD_OFF"
#endif
#ifndef PLUMB_GUARD_UNLOCKED
#define PLUMB_GUARD_UNLOCKED 0
#endif

/* What a thread does that waits. These are declared whatever standard is asked for. */
#if defined(__unix__) || defined(__unix) || defined(__APPLE__)
#include <poll.h>
#include <sched.h>
#include <unistd.h>
#define PLUMB_GUARD_PROCESS() ((size_t)getpid())
#define PLUMB_GUARD_YIELD() ((void)sched_yield())
#define PLUMB_GUARD_SLEEP() ((void)poll(NULL, 0, 1)) /* a millisecond */
#elif defined(_WIN32)
PLUMB_GUARD_C __declspec(dllimport) void __stdcall Sleep(unsigned long);
#define PLUMB_GUARD_PROCESS() 1 /* no fork */
#define PLUMB_GUARD_YIELD() Sleep(0)
#define PLUMB_GUARD_SLEEP() Sleep(1)
#else
#define PLUMB_GUARD_PROCESS() 1
#define PLUMB_GUARD_YIELD() ((void)0)
#define PLUMB_GUARD_SLEEP() ((void)0)
#endif

/* An object that was added and not released. */
struct plumb_guard_entry {
	size_t object; /* the inverted address: a leak checker that sees it must not think that it is held */
	const void *frame;                      /* the call that added it, by where its frame was */
	unsigned long first;                    /* and by what that call added first */
	unsigned long number;                   /* of this object at this site */
	struct plumb_guard_entry *chain;        /* the next of the same slot; of free entries, any next */
	struct plumb_guard_entry *newer, *older; /* all objects of the site in the order of their numbers */
};

/* The objects of one allocation. */
struct plumb_guard_site {
	struct plumb_guard_entry **slots; /* as many as the file with the definition says, not as this one */
	size_t mask;                      /* number of slots - 1 */
	struct plumb_guard_entry *pool;   /* PLUMB_GUARD_POOL of them */
	plumb_guard_lock lock;
	plumb_guard_word size; /* number of objects */
	plumb_guard_word off;  /* the lock was not to be had; nothing is released any more */
	plumb_guard_word process; /* in which each holder of the lock is a thread that is there */
	struct plumb_guard_entry *newest;
	struct plumb_guard_entry *spare; /* free entries of the pool */
	size_t used;                     /* entries of the pool that were ever used */
	unsigned long numbers;           /* given so far */
};

#ifdef PLUMB_GUARD_ELSEWHERE
#define PLUMB_GUARD_SITE(name) PLUMB_GUARD_C struct plumb_guard_site name[1]
#else
#define PLUMB_GUARD_JOIN_(a, b) a##b
#define PLUMB_GUARD_JOIN(a, b) PLUMB_GUARD_JOIN_(a, b)
#define PLUMB_GUARD_SITE(name) PLUMB_GUARD_DEFINE(name, PLUMB_GUARD_JOIN(name##_slots, PLUMB_GUARD_BITS), name##_pool)
#define PLUMB_GUARD_DEFINE(name, slots, pool)                                                             \
	PLUMB_GUARD_C PLUMB_GUARD_ONE struct plumb_guard_entry *slots[PLUMB_GUARD_SLOTS];                 \
	PLUMB_GUARD_C PLUMB_GUARD_ONE struct plumb_guard_entry pool[PLUMB_GUARD_POOL];                    \
	PLUMB_GUARD_C PLUMB_GUARD_ONE struct plumb_guard_site name[1];                                    \
	struct plumb_guard_entry *slots[PLUMB_GUARD_SLOTS] = {NULL};                                      \
	struct plumb_guard_entry pool[PLUMB_GUARD_POOL] = {{0, NULL, 0, 0, NULL, NULL, NULL}};            \
	struct plumb_guard_site name[1] = {{slots, PLUMB_GUARD_SLOTS - 1, pool, PLUMB_GUARD_UNLOCKED,     \
		0, 0, 0, NULL, NULL, 0, 0}}
#endif

/* enter locks the site, or gives 0. A lock that does not open has no holder: fork has
   copied the lock, but not the thread that held it. */
PLUMB_GUARD_FN int plumb_guard_enter(struct plumb_guard_site *s)
{
	int tries, limit;
	if (PLUMB_GUARD_READ(&s->off))
		return 0;
	if (PLUMB_GUARD_TRY(&s->lock) == 0)
		return 1;
	for (tries = 0; tries < 500; tries++) {
		PLUMB_GUARD_YIELD();
		if (PLUMB_GUARD_TRY(&s->lock) == 0)
			return 1;
	}
	limit = PLUMB_GUARD_READ(&s->process) == PLUMB_GUARD_PROCESS() ? 5000 : 50;
	for (tries = 0; tries < limit && !PLUMB_GUARD_READ(&s->off); tries++) {
		PLUMB_GUARD_SLEEP();
		if (PLUMB_GUARD_TRY(&s->lock) == 0) {
			PLUMB_GUARD_WRITE(&s->process, PLUMB_GUARD_PROCESS());
			return 1;
		}
	}
	PLUMB_GUARD_WRITE(&s->off, 1); /* what we come to remove may stay: nothing there can be trusted */
	return 0;
}

PLUMB_GUARD_FN void plumb_guard_leave(struct plumb_guard_site *s)
{
	PLUMB_GUARD_UNLOCK(&s->lock);
}

/* find is the link that leads to an object's entry, or to NULL. */
PLUMB_GUARD_FN struct plumb_guard_entry **plumb_guard_find(struct plumb_guard_site *s, size_t object)
{
	size_t hash = ~object / 16; /* malloc leaves the lower bits 0 */
	struct plumb_guard_entry **link = &s->slots[(hash ^ hash / (s->mask + 1)) & s->mask];
	while (*link != NULL && (*link)->object != object)
		link = &(*link)->chain;
	return link;
}

/* mine reports whether this call has added the object. */
PLUMB_GUARD_FN int plumb_guard_mine(const struct plumb_guard_entry *e, const struct plumb_guard_frame *f)
{
	return e->frame == f && e->first == f->first;
}

/* order makes an entry the newest. */
PLUMB_GUARD_FN void plumb_guard_order(struct plumb_guard_site *s, struct plumb_guard_entry *e)
{
	e->newer = NULL;
	e->older = s->newest;
	if (s->newest != NULL)
		s->newest->newer = e;
	s->newest = e;
}

PLUMB_GUARD_FN void plumb_guard_disorder(struct plumb_guard_site *s, struct plumb_guard_entry *e)
{
	if (e->newer != NULL)
		e->newer->older = e->older;
	else
		s->newest = e->older;
	if (e->older != NULL)
		e->older->newer = e->newer;
}

/* drop forgets the object that a link leads to. It gives the entry back if that is
   for free(), which must wait until the lock is open. */
PLUMB_GUARD_FN struct plumb_guard_entry *plumb_guard_drop(struct plumb_guard_site *s, struct plumb_guard_entry **link)
{
	struct plumb_guard_entry *e = *link;
	*link = e->chain;
	plumb_guard_disorder(s, e);
	PLUMB_GUARD_WRITE(&s->size, s->size - 1);
	if (e < s->pool || e >= s->pool + PLUMB_GUARD_POOL)
		return e;
	e->chain = s->spare;
	s->spare = e;
	return NULL;
}

/* room is an entry of the pool, or NULL. */
PLUMB_GUARD_FN struct plumb_guard_entry *plumb_guard_room(struct plumb_guard_site *s)
{
	struct plumb_guard_entry *e = s->spare;
	if (e != NULL)
		s->spare = e->chain;
	else if (s->used < PLUMB_GUARD_POOL)
		e = &s->pool[s->used++];
	return e;
}

/* record notes that this call has made p. */
PLUMB_GUARD_FN void plumb_guard_record(struct plumb_guard_site *s, struct plumb_guard_frame *f, const volatile void *p)
{
	struct plumb_guard_entry **link, *e, *extra = NULL;
	if (p == NULL || !plumb_guard_enter(s))
		return;
	link = plumb_guard_find(s, ~(size_t)p);
	e = *link;
	if (e != NULL) {
		/* It was released by someone who did not say so, and is made again. */
		plumb_guard_disorder(s, e);
	} else {
		e = plumb_guard_room(s);
		if (e == NULL) {
			plumb_guard_leave(s);
			extra = (struct plumb_guard_entry *)malloc(sizeof *extra);
			if (extra == NULL || !plumb_guard_enter(s)) {
				free(extra);
				return;
			}
			link = plumb_guard_find(s, ~(size_t)p); /* p is ours; the slot's other entries may have changed */
			e = extra;
		}
		e->object = ~(size_t)p;
		e->chain = NULL;
		*link = e;
		PLUMB_GUARD_WRITE(&s->size, s->size + 1);
	}
	if (s->numbers == 0)
		PLUMB_GUARD_WRITE(&s->process, PLUMB_GUARD_PROCESS());
	e->number = ++s->numbers;
	if (f->first == 0)
		f->first = e->number;
	e->frame = f;
	e->first = f->first;
	plumb_guard_order(s, e);
	plumb_guard_leave(s);
}

/* forget notes that p is about to be released, if it was ever recorded. It comes before
   the release: after it, another thread may have been given the same address. */
PLUMB_GUARD_FN void plumb_guard_forget(struct plumb_guard_site *s, const volatile void *p)
{
	struct plumb_guard_entry **link, *extra = NULL;
	/* Who has seen p added has seen the size, so 0 is right without the lock. */
	if (PLUMB_GUARD_READ(&s->size) == 0 || p == NULL || !plumb_guard_enter(s))
		return;
	link = plumb_guard_find(s, ~(size_t)p);
	if (*link != NULL)
		extra = plumb_guard_drop(s, link);
	plumb_guard_leave(s);
	free(extra);
}

/* claim reports whether p is recorded as made by this call, and forgets it: the one
   who asks releases it. */
PLUMB_GUARD_FN int plumb_guard_claim(struct plumb_guard_site *s, struct plumb_guard_frame *f, const volatile void *p)
{
	struct plumb_guard_entry **link, *extra = NULL;
	int found = 0;
	if (f->first == 0 || p == NULL || !plumb_guard_enter(s))
		return 0;
	link = plumb_guard_find(s, ~(size_t)p);
	if (*link != NULL && plumb_guard_mine(*link, f)) {
		extra = plumb_guard_drop(s, link);
		found = 1;
	}
	plumb_guard_leave(s);
	free(extra);
	return found;
}

/* next takes any object of this call; NULL when there is none. It looks at what was
   added since the first of them, newest first, and not at the slots. */
PLUMB_GUARD_FN void *plumb_guard_next(struct plumb_guard_site *s, struct plumb_guard_frame *f)
{
	struct plumb_guard_entry *e, *extra;
	void *p = NULL;
	if (f->first == 0 || !plumb_guard_enter(s))
		return NULL;
	for (e = s->newest; e != NULL && e->number >= f->first && !plumb_guard_mine(e, f); e = e->older)
		;
	extra = NULL;
	if (e != NULL && plumb_guard_mine(e, f)) {
		p = (void *)~e->object;
		extra = plumb_guard_drop(s, plumb_guard_find(s, e->object));
	}
	plumb_guard_leave(s);
	free(extra);
	return p;
}

/* close forgets what is left of this call's objects. */
PLUMB_GUARD_FN void plumb_guard_close(struct plumb_guard_site *s, struct plumb_guard_frame *f)
{
	while (plumb_guard_next(s, f) != NULL)
		;
}

#endif /* the record */

#ifndef __plumb__

#define PLUMB_GUARD_CALL(site) struct plumb_guard_frame site##_call[1] = {{0}}
#define plumb_guard_add(site, p) plumb_guard_added(site, site##_call, p)
#define plumb_guard_remove(site, p) plumb_guard_removed(site, p)
#define plumb_guard_take(site, p) plumb_guard_claim(site, site##_call, p)
#define plumb_guard_fix(site, release) plumb_guard_fixed(site, site##_call, release)
#define plumb_guard_done(site) plumb_guard_close(site, site##_call)

#ifdef __cplusplus
template <class T> static inline T *plumb_guard_added(struct plumb_guard_site *s, struct plumb_guard_frame *f, T *p)
{
	plumb_guard_record(s, f, p);
	return p;
}

template <class T> static inline T *plumb_guard_removed(struct plumb_guard_site *s, T *p)
{
	plumb_guard_forget(s, p);
	return p;
}
#else
PLUMB_GUARD_FN void *plumb_guard_added(struct plumb_guard_site *s, struct plumb_guard_frame *f, void *p)
{
	plumb_guard_record(s, f, p);
	return p;
}

PLUMB_GUARD_FN void *plumb_guard_removed(struct plumb_guard_site *s, const volatile void *p)
{
	plumb_guard_forget(s, p);
	return (void *)(size_t)p; /* like free, it does not care for const */
}
#endif

PLUMB_GUARD_FN void plumb_guard_fixed(struct plumb_guard_site *s, struct plumb_guard_frame *f, void (*release)(void *))
{
	void *p;
	while ((p = plumb_guard_next(s, f)) != NULL)
		release(p);
}

#else /* __plumb__: plumb itself looks at the program */

/* In place of the record, a variable says whether there is something to release:
   that is what plumb can follow. The calls say of what. */
#define PLUMB_GUARD_CALL(site) int site##_call = 0
#define plumb_guard_add(site, p) (site##_call = 1, plumb_guard_added(site, p))
#define plumb_guard_remove(site, p) (site##_call = 0, plumb_guard_removed(site, p))
#define plumb_guard_take(site, p) (plumb_guard_claim(site, p), site##_call && !(site##_call = 0))
#define plumb_guard_fix(site, release) ((void)(release), site##_call = 0, plumb_guard_fixed(site))
#define plumb_guard_done(site) (site##_call = 0, plumb_guard_close(site))

PLUMB_GUARD_FN void plumb_guard_forget(struct plumb_guard_site *s, const volatile void *p) { (void)s, (void)p; }
PLUMB_GUARD_FN void plumb_guard_claim(struct plumb_guard_site *s, const volatile void *p) { (void)s, (void)p; }
PLUMB_GUARD_FN void plumb_guard_fixed(struct plumb_guard_site *s) { (void)s; }
PLUMB_GUARD_FN void plumb_guard_close(struct plumb_guard_site *s) { (void)s; }
#ifdef __cplusplus
template <class T> static inline T *plumb_guard_added(struct plumb_guard_site *, T *p) { return p; }
template <class T> static inline T *plumb_guard_removed(struct plumb_guard_site *, T *p) { return p; }
#else
PLUMB_GUARD_FN void *plumb_guard_added(struct plumb_guard_site *s, void *p) { return (void)s, p; }
PLUMB_GUARD_FN void *plumb_guard_removed(struct plumb_guard_site *s, const volatile void *p) { return (void)s, (void *)p; }
#endif

#endif /* __plumb__ */

#endif /* PLUMB_GUARD_H */
