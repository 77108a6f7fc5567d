// What main.c takes for a library.
#include <stdlib.h>

static int config = 1;
int *lib_config(void) { return &config; }
int *lib_option(void) { return NULL; }
