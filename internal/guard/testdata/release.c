/* Releases what other files allocate; also compiled as C++ and as a shared library. */
#include "plumb_guard.h"
#ifdef __cplusplus
extern "C" {
#endif
#include "shared.h"
#ifdef __cplusplus
}
#endif

PLUMB_GUARD_SITE(work_buffer);

void release_some(char *p, unsigned how)
{
	if (how % 3 == 0)
		free(plumb_guard_remove(work_buffer, p));
}

char *grow(char *p, size_t n)
{
	char *q = (char *)realloc(plumb_guard_remove(work_buffer, p), n);
	if (q == NULL)
		free(p);
	return q;
}
