// putenv keeps the pointer that it is given: the one it kept before under the same
// name goes away at the call, inside libc, where nothing else sees it.
#define _GNU_SOURCE
#include "proc.h"
#include <string.h>
#include <unistd.h>

PLUMB_REAL_DECL(int, putenv, char *);

static char *kept(const char *text) {
	size_t n = strcspn(text, "=");
	for (char **at = environ; at && *at; at++)
		if (strncmp(*at, text, n) == 0 && (*at)[n] == '=')
			return *at;
	return 0;
}

EXPORT int PLUMB_HOOK(putenv)(char *text) {
	uintptr_t ra = (uintptr_t)__builtin_return_address(0), sp = (uintptr_t)__builtin_frame_address(0) + 16;
	char *old = text ? kept(text) : 0;
	int e = PLUMB_REAL(putenv)(text);
	if (e == 0 && old != text && plumb_in_heap((uintptr_t)old)) {
		uint32_t flags = 0, event[2];
		plumb_event_at(plumb_origin(ra, sp, &flags), PLUMB_OVERWRITE, event);
		plumb_drop(old, event[0], event[1]);
	}
	return e;
}
