// Clean. Functions that do not return call one another in a circle.
#include <setjmp.h>
#include <stdlib.h>

struct state { jmp_buf *jb; char *buf; size_t size; };

void runerror(struct state *s);

void *toobig(struct state *s) { runerror(s); return NULL; }

void grow(struct state *s, size_t n) {
    s->buf = n < 1000 ? realloc(s->buf, n) : toobig(s);
    s->size = n;
}

void throwit(struct state *s) {
    if (s->jb) longjmp(*s->jb, 1);
    if (s->size > 20) grow(s, 20);
    exit(1);
}

void errormsg(struct state *s) { throwit(s); }

void runerror(struct state *s) { errormsg(s); }

void use(struct state *s) {
    toobig(s);
    malloc(7);
}

int main(void) {
    jmp_buf jb;
    struct state s = { &jb, NULL, 0 };
    if (setjmp(jb)) return 0;
    use(&s);
    return 0;
}
