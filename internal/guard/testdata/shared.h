#include <stddef.h>

/* What threads.c and release.c know of one another. */
void release_some(char *p, unsigned how);
char *grow(char *p, size_t n);
