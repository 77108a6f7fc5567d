// What main.c takes for a library.
#include <stdlib.h>
#include <string.h>

char *lib_block(size_t n) { return malloc(n); }
void lib_block_free(char *p) { free(p); }
char *lib_pool_block(char **pool, size_t n) { return *pool = malloc(n); }
