// What main.c takes for a library.
#include <stdlib.h>

struct thing { struct thing *next; int n; };

struct thing *lib_new(const char *name) { return calloc(1, sizeof(struct thing)); }
void lib_delete(struct thing *t) { free(t); }
int lib_send(int to, struct thing *t) { free(t); return to; }
void lib_add(struct thing *list, struct thing *t) { t->next = list->next; list->next = t; }
void lib_end(struct thing *t) { free(t); }
