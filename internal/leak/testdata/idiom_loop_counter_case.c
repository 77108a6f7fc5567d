// Clean. A counter that was 1 is 1 no more in the next round.
#include <stdlib.h>
#include <string.h>

struct config { char *save, *append; };

static void freeConfig(struct config *c) {
    if (c->save) free(c->save);
    if (c->append) free(c->append);
    free(c);
}

struct config *getConfig(char *(*get)(void)) {
    struct config *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    int i = 0;
    for (; i < 2; i++) {
        char *value = get();
        if (!value) goto fail;
        switch (i) {
        case 0: c->save = strdup(value); break;
        case 1: c->append = strdup(value); break;
        }
    }
    return c;
fail:
    freeConfig(c);
    return NULL;
}

static char *on(void) { return "yes"; }

int main(void) {
    struct config *c = getConfig(on);
    if (c) freeConfig(c);
    return 0;
}
