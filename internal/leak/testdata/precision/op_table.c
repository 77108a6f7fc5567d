// Calls through tables of functions: what opens, reads and closes is found in a
// static table, in a struct that carries one, or is chosen at run time.
#include <stdlib.h>
#include <string.h>

struct ops {
    void *(*open)(const char *);
    void (*close)(void *);
    int (*size)(void *);
};

static void *text_open(const char *s) { return strdup(s); }
static void text_close(void *p) { free(p); }
static int text_size(void *p) { return (int)strlen(p); }

static void *fixed_open(const char *s) { return (void *)s; }
static void fixed_close(void *p) { (void)p; }

static const struct ops text = { text_open, text_close, text_size };
static const struct ops fixed = { .open = fixed_open, .close = fixed_close, .size = text_size };
static const struct ops *const all[] = { &text, &fixed };

struct stream { const struct ops *ops; void *state; };

static struct stream *stream_new(const struct ops *ops, const char *s)
{
    struct stream *st = malloc(sizeof *st);
    if (!st)
        abort();
    st->ops = ops;
    st->state = ops->open(s);
    return st;
}

static void stream_free(struct stream *st)
{
    st->ops->close(st->state);
    free(st);
}

static int direct(const struct ops *ops)
{
    void *p = ops->open("x");
    int n = p ? ops->size(p) : 0;
    ops->close(p);
    return n;
}

static int direct_badly(const struct ops *ops)
{
    void *p = ops->open("x"); // alloc: direct
    int n = p ? ops->size(p) : 0;
    if (n > 0)
        return n; // leak-missed: direct
    ops->close(p);
    return n;
}

static void carried(void)
{
    struct stream *st = stream_new(&text, "x");
    stream_free(st);
}

static void carried_badly(void)
{
    struct stream *st = stream_new(&text, "x"); // alloc: state
    free(st); // leak-missed: state
}

static int chosen(int i)
{
    const struct ops *o = all[i % 2];
    void *p = o->open("x");
    o->close(p);
    return 0;
}

int main(void)
{
    direct(&text);
    direct(&fixed);
    direct_badly(&text);
    carried();
    carried_badly();
    chosen(0);
    chosen(1);
    return 0;
}
// limit-missed: from a function called through a table, when another in it returns nothing new
