// A long jump leaves functions without running their ends.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf on_error;

int checked(int v)
{
    int *box = malloc(sizeof *box); // alloc: box
    if (!box)
        return 0;
    *box = v;
    if (*box < 0)
        longjmp(on_error, 1); // leak: box "forgotten"
    int r = *box;
    free(box);
    return r;
}

static void fail(int code) { longjmp(on_error, code); }

int wrapped(int v)
{
    int *box = malloc(sizeof *box); // alloc: wrapped
    if (!box)
        return 0;
    *box = v;
    if (*box < 0)
        fail(2); // leak: wrapped "forgotten"
    int r = *box;
    free(box);
    return r;
}

int releases(int v)
{
    int *box = malloc(sizeof *box);
    if (!box)
        return 0;
    *box = v;
    if (*box < 0) {
        free(box);
        fail(3);
    }
    int r = *box;
    free(box);
    return r;
}

// Held by a global, it can be released where the jump ends.
static int *kept;
int held(int v)
{
    kept = malloc(sizeof *kept);
    if (!kept)
        return 0;
    *kept = v;
    if (v < 0)
        fail(4);
    free(kept);
    kept = NULL;
    return 1;
}

int main(void)
{
    if (!setjmp(on_error))
        checked(-1);
    if (!setjmp(on_error))
        wrapped(-1);
    if (!setjmp(on_error))
        releases(-1);
    if (!setjmp(on_error))
        held(-1);
    free(kept);
    return 0;
}
