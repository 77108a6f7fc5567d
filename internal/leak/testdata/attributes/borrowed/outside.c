// What main.c takes for a library.
#include <stdlib.h>

void lib_look(char *p) { p[0] = 1; }
int lib_sum(const char *p) { return p[0]; }
int lib_place(const char *p) { return p != 0; }
void lib_take(char *p) { free(p); }
