// A struct is moved with memcpy; its pointers now belong to the copy.
#include <stdlib.h>
#include <string.h>
struct screen { char *title; int n; char *tabs; };
struct pane { int id; struct screen base; };
void screen_free(struct screen *s) { free(s->title); free(s->tabs); }
void screen_init(struct screen *s) { s->title = strdup(""); s->tabs = NULL; s->n = 0; }
void set_title(struct screen *s, const char *t) { free(s->title); s->title = strdup(t); }
void adopt(struct pane *wp, struct screen *ps) {
    set_title(ps, "x");
    screen_free(&wp->base);
    memcpy(&wp->base, ps, sizeof wp->base);
    screen_init(ps);
}
