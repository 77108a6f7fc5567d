// What small numbers a function is given or returns tells whether there is a
// block: one kind of many, a bit of a flag, error codes with gaps between them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLAIN = 2, QUIET = 4 };
enum { E_ALLOC = -2, E_PIN = -43, E_CRYPTO = -60 };

struct object { int type; char *text; };

// None for one kind.
static void *by_kind(int kind)
{
    if (kind == 2)
        return NULL;
    return malloc(8);
}

// With a bit, a plain block; without, an object that owns a text.
static void *by_bit(int flags)
{
    struct object *o = malloc(sizeof *o);
    if (!o)
        abort();
    o->type = 0;
    o->text = NULL;
    if (flags & PLAIN)
        return o;
    o->text = strdup("text");
    return o;
}

static int sign(char **sig, int pin)
{
    *sig = NULL;
    if (!pin)
        return E_PIN;
    *sig = malloc(8);
    return *sig ? 0 : E_ALLOC;
}

static int protect(int key)
{
    if (key == 1)
        return E_ALLOC;
    if (key == 2)
        return E_CRYPTO;
    return 0;
}

// With a signature: 0 or what protect returns, which is never E_PIN.
static int sign_and_protect(int key, char **sig, int pin)
{
    int r, r2;
    r = sign(sig, pin);
    if ((r2 = protect(key)) != 0)
        return r2;
    return r;
}

static int no_kind(void)
{
    void *p = by_kind(2);
    return p != NULL;
}

static int other_kind(void)
{
    void *p = by_kind(3); // alloc: kind
    return p != NULL; // leak: kind
}

static int plain(void)
{
    struct object *o = by_bit(PLAIN | QUIET);
    int type = o->type;
    free(o);
    return type;
}

static int owning(void)
{
    struct object *o = by_bit(QUIET); // alloc: text
    int type = o->type;
    free(o); // leak: text
    return type;
}

static int again(int key, int pin)
{
    char *sig;
    int r = sign_and_protect(key, &sig, pin);
    if (r == E_PIN)
        r = sign_and_protect(key, &sig, 1);
    free(sig);
    return r;
}

static int again_badly(int key)
{
    char *sig;
    int r = sign_and_protect(key, &sig, 1); // alloc: sig
    if (r == E_CRYPTO)
        r = sign_and_protect(key, &sig, 0); // leak: sig
    free(sig);
    return r;
}

int main(void)
{
    int n = no_kind() + other_kind() + plain() + owning();
    for (int key = 0; key < 3; key++)
        n += again(key, 0) + again(key, 1) + again_badly(key);
    printf("%d\n", n);
    return 0;
}
