// What main.c takes for a library.
#include <stdlib.h>

struct thing { int n; };

void lib_drop(int why, struct thing *t) { free(t); }
void lib_free(struct thing *t) { free(t); }
struct thing *lib_make(struct thing *like) { return calloc(1, sizeof *like); }
struct thing *lib_copy(struct thing *like) { return calloc(1, sizeof *like); }
