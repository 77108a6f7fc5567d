// Structs that own blocks are returned, passed, assigned and swapped by value:
// the last copy is the owner. Leaky: a copy that owns is overwritten.
#include <stdlib.h>
#include <string.h>

struct text { char *bytes; size_t size; };

static struct text text_of(const char *s)
{
    struct text t;
    t.size = strlen(s);
    t.bytes = malloc(t.size + 1);
    if (!t.bytes)
        abort();
    memcpy(t.bytes, s, t.size + 1);
    return t;
}

static void text_free(struct text t) { free(t.bytes); }

static void swap(struct text *a, struct text *b)
{
    struct text t = *a;
    *a = *b;
    *b = t;
}

static struct text pick(struct text a, struct text b, int first)
{
    if (first) {
        text_free(b);
        return a;
    }
    text_free(a);
    return b;
}

static void well(int first)
{
    struct text a = text_of("a"), b = text_of("b");
    swap(&a, &b);
    struct text c = pick(a, b, first);
    text_free(c);
}

static void assigned(void)
{
    struct text a = text_of("a"); // alloc: first
    a = text_of("b"); // leak: first
    text_free(a);
}

static void swapped(void)
{
    struct text a = text_of("a"), b = { NULL, 0 }; // alloc: swapped
    swap(&a, &b);
    text_free(a);
} // leak-missed: swapped

static struct text picks_badly(struct text a, struct text b, int first) { return first ? a : b; }

static void picked(int first)
{
    struct text a = text_of("a"); // alloc: one
    struct text b = text_of("b"); // alloc: other
    struct text c = picks_badly(a, b, first);
    text_free(c);
} // leak: one; leak: other

int main(void)
{
    well(0);
    well(1);
    assigned();
    swapped();
    picked(0);
    picked(1);
    return 0;
}
// limit-missed: in a struct that another function swaps with one
