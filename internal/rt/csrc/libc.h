// libc's own allocator: used when only some blocks are tracked, or when there
// is no address space for ours.
#ifndef PLUMB_LIBC_H
#define PLUMB_LIBC_H

#include "rt.h"

int plumb_tracked(void); // was this allocation asked for? Resets the question.
void *plumb_libc_alloc(size_t size, size_t align);
void *plumb_libc_zeroed(size_t size);
void *plumb_libc_realloc(void *p, size_t size);
void plumb_libc_free(void *p);
size_t plumb_libc_size(void *p);

#endif
