/* plumb.h: tells plumb about memory that a program manages itself.
 *
 * Everything here does nothing unless the program runs under plumb (`plumb run`,
 * or built with `plumb cc`): then the runtime defines the functions below. The
 * header is all there is to include; nothing needs to be linked.
 *
 *   PLUMB_ALLOC(p, n)           p is a block of n bytes from here on
 *   PLUMB_RESIZE(p, n)          the block at p has n bytes now
 *   PLUMB_FREE(p)               the block at p is released
 *   PLUMB_POOL_CREATE(pool)     pool (any address) names a pool
 *   PLUMB_POOL_ALLOC(pool, p, n)
 *   PLUMB_POOL_FREE(pool, p)
 *   PLUMB_POOL_DESTROY(pool)    all its blocks are released
 *   PLUMB_IGNORE(p)             the block at p is never reported, nor what it owns
 *   plumb_check()               report what is lost by now; bytes lost
 */
#ifndef PLUMB_H
#define PLUMB_H

#ifdef __cplusplus
extern "C" {
#endif

#define PLUMB_WEAK_ __attribute__((weak))
void plumb_client_alloc(const void *pool, const void *p, unsigned long n) PLUMB_WEAK_;
void plumb_client_resize(const void *p, unsigned long n) PLUMB_WEAK_;
void plumb_client_free(const void *pool, const void *p) PLUMB_WEAK_;
void plumb_client_pool(const void *pool, int create) PLUMB_WEAK_;
void plumb_client_ignore(const void *p) PLUMB_WEAK_;
unsigned long plumb_client_check(void) PLUMB_WEAK_;
#undef PLUMB_WEAK_

#define PLUMB_CALL_(function, arguments) ((void)(function ? (function arguments, 0) : 0))
#define PLUMB_ALLOC(p, n) PLUMB_CALL_(plumb_client_alloc, (0, (p), (n)))
#define PLUMB_RESIZE(p, n) PLUMB_CALL_(plumb_client_resize, ((p), (n)))
#define PLUMB_FREE(p) PLUMB_CALL_(plumb_client_free, (0, (p)))
#define PLUMB_POOL_CREATE(pool) PLUMB_CALL_(plumb_client_pool, ((pool), 1))
#define PLUMB_POOL_ALLOC(pool, p, n) PLUMB_CALL_(plumb_client_alloc, ((pool), (p), (n)))
#define PLUMB_POOL_FREE(pool, p) PLUMB_CALL_(plumb_client_free, ((pool), (p)))
#define PLUMB_POOL_DESTROY(pool) PLUMB_CALL_(plumb_client_pool, ((pool), 0))
#define PLUMB_IGNORE(p) PLUMB_CALL_(plumb_client_ignore, ((p)))
#define plumb_check() (plumb_client_check ? plumb_client_check() : 0ul)

#ifdef __cplusplus
}
#endif
#endif
