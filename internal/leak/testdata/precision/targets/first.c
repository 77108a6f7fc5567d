// One function.
#include <stdlib.h>

void *first_make(void) { return malloc(4); }
