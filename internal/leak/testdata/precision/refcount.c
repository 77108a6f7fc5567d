// Counted references: a release gives back the caller's, whatever the counter.
#include <stdlib.h>
#include <string.h>

struct text { int refs; char *bytes; };

static struct text *text_new(const char *s)
{
    struct text *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->refs = 1;
    t->bytes = strdup(s);
    return t;
}

static struct text *text_ref(struct text *t)
{
    t->refs++;
    return t;
}

static void text_unref(struct text *t)
{
    if (t && --t->refs == 0) {
        free(t->bytes);
        free(t);
    }
}

struct pair { struct text *a, *b; };

static void simple(void)
{
    struct text *t = text_new("x");
    text_unref(t);
}

static void shared(void)
{
    struct text *t = text_new("x");
    struct pair p = { text_ref(t), text_ref(t) };
    text_unref(t);
    text_unref(p.a);
    text_unref(p.b);
}

static int on_error(int bad)
{
    struct text *t = text_new("x"); // alloc: error
    if (bad)
        return -1; // leak: error
    text_unref(t);
    return 0;
}

static void one_too_many(void)
{
    struct text *t = text_new("x"); // alloc: counted
    text_ref(t);
    text_unref(t);
} // leak: counted

int main(void)
{
    simple();
    shared();
    on_error(0);
    on_error(1);
    one_too_many();
    return 0;
}
