// err is new or NULL after the call; both branches free it when it is not NULL.
#include <stdlib.h>
int ask(void);
static void flush(char **err) {
    *err = NULL;
    if (ask()) { *err = malloc(10); if (!*err) abort(); }
}
void create(int x) {
    char *err = NULL;
    flush(&err);
    if (x) {
        if (err != NULL) { free(err); ask(); }
    } else if (err != NULL) free(err);
}
