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
	if (how % 3 == 0) {
		plumb_guard_forget(work_buffer, p);
		free(p);
	}
}

char *grow(char *p, size_t n)
{
	char *q;
	plumb_guard_forget(work_buffer, p);
	q = (char *)realloc(p, n);
	if (q == NULL)
		free(p);
	return q;
}
