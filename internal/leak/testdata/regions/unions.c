// A union holds a pointer or a number, and a tag says which.
#include <stdlib.h>
#include <string.h>

enum kind { NUMBER, TEXT, LIST };
struct value {
    enum kind kind;
    union {
        long number;
        char *text;
        struct value *list;
    } u;
};

static struct value number(long n) { return (struct value){ .kind = NUMBER, .u.number = n }; }

static void set_text(struct value *v, const char *s)
{
    v->kind = TEXT;
    v->u.text = strdup(s);
}

static void clear(struct value *v)
{
    if (v->kind == TEXT)
        free(v->u.text);
    v->kind = NUMBER;
}

static void cleared(void)
{
    struct value v;
    set_text(&v, "x");
    clear(&v);
}

static void by_other_name(void)
{
    union { char *bytes; void *any; } u;
    u.bytes = strdup("x");
    free(u.any);
}

static void overwritten(void)
{
    struct value v;
    set_text(&v, "x"); // alloc: text
    v.u.number = 3; // leak: text
    v.kind = NUMBER;
}

static void replaced(void)
{
    struct value v;
    set_text(&v, "x"); // alloc: old
    v = number(4); // leak: old
    clear(&v);
}

static long kept(int n)
{
    struct value v;
    set_text(&v, "x"); // alloc: kept
    if (n)
        return -1; // leak: kept
    clear(&v);
    return 0;
}

int main(void)
{
    cleared();
    by_other_name();
    overwritten();
    replaced();
    kept(0);
    kept(1);
    return 0;
}
