// The other.
#include <stdlib.h>

void *second_make(void) { return calloc(1, 8); }
