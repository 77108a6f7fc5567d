// malloc with arguments names the function that releases, and which of its
// parameters it releases.
#include <stdlib.h>

struct thing { int n; };

void lib_drop(int why, struct thing *t);
void lib_free(struct thing *t);
__attribute__((__malloc__(lib_drop, 2))) struct thing *lib_make(struct thing *like);
__attribute__((__malloc__, __malloc__(lib_free))) struct thing *lib_copy(struct thing *like);

int make_leaky(struct thing *like)
{
    struct thing *t = lib_make(like); // alloc: made
    if (!t)
        return -1;
    return t->n; // leak: made
}

int make_clean(struct thing *like)
{
    struct thing *t = lib_make(like);
    if (!t)
        return -1;
    int n = t->n;
    lib_drop(0, t);
    return n;
}

// What is released is no longer anyone's.
struct thing *release_then_make_clean(struct thing *like)
{
    struct thing *t = lib_copy(like);
    if (!t)
        return NULL;
    lib_free(t);
    t = lib_copy(like);
    return t;
}

int copy_leaky(struct thing *like)
{
    struct thing *t = lib_copy(like); // alloc: copied
    t = lib_copy(like); // leak: copied
    lib_free(t);
    return 0;
}

int main(void)
{
    struct thing t = {0};
    make_leaky(&t);
    make_clean(&t);
    lib_free(release_then_make_clean(&t));
    copy_leaky(&t);
    return 0;
}
