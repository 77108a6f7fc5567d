// Functions in fields: of tables of operations, and set by a function.
#include <stdlib.h>

struct stream;
struct ops {
    void (*write)(struct stream *, int);
    void (*close)(struct stream *);
};
struct stream {
    const struct ops *ops;
    int last;
    void (*notify)(struct stream *);
};

static void file_write(struct stream *s, int c) { s->last = c; }
static void file_close(struct stream *s) { free(s); }
static void null_write(struct stream *s, int c) { (void)s, (void)c; }
static void null_close(struct stream *s) { free(s); }

static const struct ops file_ops = {file_write, file_close};
static const struct ops null_ops = {.close = null_close, .write = null_write};

static void count(struct stream *s) { s->last++; }
static void on_write(struct stream *s, void (*f)(struct stream *)) { s->notify = f; }

static struct stream *open_stream(int real)
{
    struct stream *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->ops = real ? &file_ops : &null_ops;
    on_write(s, count);
    return s;
}

static void closed(int real)
{
    struct stream *s = open_stream(real);
    if (!s)
        return;
    s->ops->write(s, 'x');
    s->notify(s);
    s->ops->close(s);
}

static void not_closed(int real)
{
    struct stream *s = open_stream(real); // alloc: stream
    if (!s)
        return;
    s->ops->write(s, 'x');
    s->notify(s);
} // leak: stream

int main(int argc, char **argv)
{
    (void)argv;
    closed(argc);
    not_closed(argc);
    return 0;
}
