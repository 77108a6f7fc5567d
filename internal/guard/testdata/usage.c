/* Every part of the header, in what C89 and C++98 have in common. */
#include "plumb_guard.h"

PLUMB_GUARD_SITE(parse_name);
PLUMB_GUARD_SITE(parse_list);

static const char none[] = "none";

static int parse(size_t n)
{
	PLUMB_GUARD_CALL(parse_list);
	PLUMB_GUARD_CALL(parse_name);
	const char *name = none;
	size_t i;
	for (i = 0; i < n; i++)
		(void)plumb_guard_add(parse_list, malloc(n));
	if (n > 0)
		name = (const char *)plumb_guard_add(parse_name, malloc(n));
	if (n == 2) {
		free(plumb_guard_remove(parse_name, (char *)(size_t)name));
		name = none;
	}
	if (plumb_guard_take(parse_name, name))
		free((char *)(size_t)name);
	plumb_guard_fix(parse_list, free);
	return name == none;
}

int main(void)
{
	size_t n;
	int nones = 0;
	for (n = 0; n < 100; n++)
		nones += parse(n);
	return nones == 2 ? 0 : 1;
}
