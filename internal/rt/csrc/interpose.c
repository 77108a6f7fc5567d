// The functions of libc that allocate and release, under their own names.
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "libc.h"

// Where this call comes from: the context that instrumented code left, or a walk
// of the stack for others. A macro: it has to see the function's own caller.
#define ORIGIN(node, flags)                                                                                  \
	uint32_t flags = 0, node = plumb_ctx;                                                                    \
	uintptr_t ra_ = (uintptr_t)__builtin_return_address(0);                                                  \
	if (ra_ - plumb_code_lo >= plumb_code_len) node = plumb_origin(ra_, (uintptr_t)__builtin_frame_address(0), &flags)

// The common case first: a small block, asked for by instrumented code. What is
// not that goes on in a function of the same signature by a jump, so the fast
// path has no frame, and the slow one sees the same caller. plumb_code_len is 0
// when most blocks are libc's.
#define FAST(size, slow)                                                                                     \
	if (likely((uintptr_t)__builtin_return_address(0) - plumb_code_lo < plumb_code_len && (size) < 1024)) {          \
		void *p = plumb_alloc_cached(size, plumb_ctx);                                                       \
		if (likely(p != 0)) return p;                                                                        \
	}                                                                                                        \
	__attribute__((musttail)) return slow

static void *get(size_t size, size_t align, uint32_t node, uint32_t flags) {
	if (unlikely(plumb_mixed) && !plumb_tracked()) return plumb_libc_alloc(size, align);
	if (likely(align <= 16 && size < MAX_SMALL)) {
		void *p = plumb_alloc_small(size, node, flags);
		if (unlikely(!p)) errno = ENOMEM;
		return p;
	}
	return plumb_alloc_slow(size, align, node, flags);
}

static NOINLINE void put_slow(void *p) {
	if (plumb_in_heap((uintptr_t)p)) plumb_free_any(p, plumb_event(AT_NODE, plumb_ctx));
	else if (p) plumb_libc_free(p);
}

static ALWAYS_INLINE void put(void *p) {
	if (likely(plumb_in_heap((uintptr_t)p)) && likely(plumb_free_cached(p, plumb_event(AT_NODE, plumb_ctx)))) return;
	__attribute__((musttail)) return put_slow(p);
}

static NOINLINE void *malloc_slow(size_t size) {
	if (unlikely(plumb_mixed) && !plumb_track) return plumb_libc_alloc(size, 16); // no need to know from where
	ORIGIN(node, flags);
	return get(size, 16, node, flags);
}

EXPORT void *malloc(size_t size) {
	FAST(size, malloc_slow(size));
}

EXPORT void free(void *p) { put(p); }
EXPORT void cfree(void *p) { put(p); }

// Memory of a fresh slot is zero.
static NOINLINE void *calloc_slow(size_t n, size_t each) {
	size_t size;
	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return 0;
	}
	if (unlikely(plumb_mixed) && !plumb_track) return plumb_libc_zeroed(size);
	ORIGIN(node, flags);
	return get(size, 16, node, flags);
}

EXPORT void *calloc(size_t n, size_t each) {
	if (likely((n | each) < 1 << 16)) {
		FAST(n * each, calloc_slow(n, each));
	}
	__attribute__((musttail)) return calloc_slow(n, each);
}

static void *resize(void *p, size_t size, uint32_t node, uint32_t flags) {
	if (!p) return get(size, 16, node, flags);
	if (!plumb_in_heap((uintptr_t)p)) return plumb_libc_realloc(p, size);
	plumb_tracked();
	if (size == 0) {
		plumb_free_any(p, plumb_event(AT_NODE, node));
		return 0;
	}
	return plumb_realloc(p, size, node, flags);
}

EXPORT void *realloc(void *p, size_t size) {
	if (unlikely(plumb_mixed) && !plumb_track && !plumb_in_heap((uintptr_t)p)) return p ? plumb_libc_realloc(p, size) : plumb_libc_alloc(size, 16);
	ORIGIN(node, flags);
	return resize(p, size, node, flags);
}

EXPORT void *reallocarray(void *p, size_t n, size_t each) {
	size_t size;
	if (__builtin_mul_overflow(n, each, &size)) {
		errno = ENOMEM;
		return 0;
	}
	ORIGIN(node, flags);
	return resize(p, size, node, flags);
}

// libc rounds an alignment that is not a power of two up.
static size_t power(size_t align) {
	if (align <= 16) return 16;
	return align & (align - 1) ? (size_t)1 << (64 - __builtin_clzl(align)) : align;
}

EXPORT void *memalign(size_t align, size_t size) {
	if (align > (size_t)1 << 62) {
		errno = EINVAL;
		return 0;
	}
	ORIGIN(node, flags);
	return get(size, power(align), node, flags);
}

EXPORT void *aligned_alloc(size_t align, size_t size) {
	if (align > (size_t)1 << 62) {
		errno = EINVAL;
		return 0;
	}
	ORIGIN(node, flags);
	return get(size, power(align), node, flags);
}

EXPORT int posix_memalign(void **out, size_t align, size_t size) {
	if (align % sizeof(void *) || align & (align - 1) || align == 0) return EINVAL;
	ORIGIN(node, flags);
	int err = errno;
	void *p = get(size, power(align), node, flags);
	errno = err;
	if (!p) return ENOMEM;
	*out = p;
	return 0;
}

EXPORT void *valloc(size_t size) {
	ORIGIN(node, flags);
	return get(size, 4096, node, flags);
}

EXPORT void *pvalloc(size_t size) {
	if (size > PTRDIFF_MAX) {
		errno = ENOMEM;
		return 0;
	}
	ORIGIN(node, flags);
	return get((size + 4095) & ~4095ul, 4096, node, flags);
}

EXPORT size_t malloc_usable_size(void *p) {
	if (!p) return 0;
	return plumb_in_heap((uintptr_t)p) ? plumb_size(p) : plumb_libc_size(p);
}

// Knobs of libc's allocator that say nothing about ours.
EXPORT int malloc_trim(size_t pad) {
	(void)pad;
	return 0;
}
EXPORT int mallopt(int what, int value) {
	(void)what, (void)value;
	return 1;
}
EXPORT struct mallinfo mallinfo(void) { return (struct mallinfo){0}; }
EXPORT struct mallinfo2 mallinfo2(void) { return (struct mallinfo2){0}; }
EXPORT void malloc_stats(void) {}

// ---- C++: operator new and delete in all forms, by their mangled names. When
// memory runs out the library's own operator calls the handler and throws: it
// asks malloc again, which says no again.

#define THROWING(name, params, args, size, align)                                                            \
	static NOINLINE void *name##_slow params {                                                                               \
		ORIGIN(node, flags);                                                                                 \
		void *p = get(size, align, node, flags);                                                             \
		if (unlikely(!p)) {                                                                                  \
			void *(*next) params = plumb_next(#name);                                                        \
			if (next) return next args;                                                                      \
			plumb_say("operator new: out of memory");                                                        \
			_exit(134);                                                                                      \
		}                                                                                                    \
		return p;                                                                                            \
	}                                                                                                        \
	EXPORT void *name params {                                                                               \
		if ((align) <= 16) {                                                                                 \
			FAST(size, name##_slow args);                                                                    \
		}                                                                                                    \
		__attribute__((musttail)) return name##_slow args;                                                   \
	}
#define NOTHROW(name, params, size, align)                                                                   \
	EXPORT void *name params {                                                                               \
		(void)tag;                                                                                           \
		ORIGIN(node, flags);                                                                                 \
		return get(size, align, node, flags);                                                                \
	}
THROWING(_Znwm, (size_t n), (n), n, 16)
THROWING(_Znam, (size_t n), (n), n, 16)
THROWING(_ZnwmSt11align_val_t, (size_t n, size_t a), (n, a), n, power(a))
THROWING(_ZnamSt11align_val_t, (size_t n, size_t a), (n, a), n, power(a))
NOTHROW(_ZnwmRKSt9nothrow_t, (size_t n, const void *tag), n, 16)
NOTHROW(_ZnamRKSt9nothrow_t, (size_t n, const void *tag), n, 16)
NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const void *tag), n, power(a))
NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t n, size_t a, const void *tag), n, power(a))

#define DELETE(name)                                                                                         \
	EXPORT void name(void *p) { put(p); }
DELETE(_ZdlPv)
DELETE(_ZdaPv)
DELETE(_ZdlPvm)
DELETE(_ZdaPvm)
DELETE(_ZdlPvSt11align_val_t)
DELETE(_ZdaPvSt11align_val_t)
DELETE(_ZdlPvmSt11align_val_t)
DELETE(_ZdaPvmSt11align_val_t)
DELETE(_ZdlPvRKSt9nothrow_t)
DELETE(_ZdaPvRKSt9nothrow_t)
DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t)
DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t)
