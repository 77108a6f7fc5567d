// Error codes come up through functions that call one another: what they can return
// is what is made below, and nothing else.
#include <stdio.h>
#include <stdlib.h>

enum { E_ALLOC = -2, E_DEEP = -9, E_PIN = -43 };

static int walk(int depth);
static int step(int depth) { return depth > 3 ? E_DEEP : walk(depth + 1); }
static int walk(int depth)
{
    int r;
    if (depth == 2)
        return E_ALLOC;
    if (depth == 5)
        return 0;
    if ((r = step(depth)) != 0)
        return r;
    return 0;
}

static int sign(char **sig, int pin)
{
    *sig = NULL;
    if (!pin)
        return E_PIN;
    *sig = malloc(8);
    return *sig ? 0 : E_ALLOC;
}

// With a signature: 0 or what walk returns, which is never E_PIN.
static int sign_and_walk(int depth, char **sig, int pin)
{
    int r = sign(sig, pin), r2 = walk(depth);
    return r2 != 0 ? r2 : r;
}

static int again(int depth, int pin)
{
    char *sig;
    int r = sign_and_walk(depth, &sig, pin);
    if (r == E_PIN)
        r = sign_and_walk(depth, &sig, 1);
    free(sig);
    return r;
}

static int again_badly(int depth)
{
    char *sig;
    int r = sign_and_walk(depth, &sig, 1); // alloc: sig
    if (r == E_DEEP)
        r = sign_and_walk(depth, &sig, 0); // leak: sig
    free(sig);
    return r;
}

int main(void)
{
    int n = 0;
    for (int depth = 0; depth < 6; depth++)
        n += again(depth, 0) + again(depth, 1) + again_badly(depth);
    printf("%d\n", n);
    return 0;
}
