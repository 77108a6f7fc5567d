// A copy into a new number returns that number, or null if it fails.
// paper: Melton, figure 6 (OpenSSL): no leak, given ArgToReturn; Saturn reports one
#include <stdlib.h>
#include <string.h>

struct number { int digits[8]; int used; };

static struct number *number_new(void) { return calloc(1, sizeof(struct number)); }

static struct number *number_copy(struct number *to, const struct number *from)
{
    if (from->used > 8)
        return NULL;
    memcpy(to->digits, from->digits, sizeof to->digits);
    to->used = from->used;
    return to;
}

static struct number *number_dup(const struct number *from)
{
    struct number *fresh = number_new(), *copied;
    if (!fresh)
        return NULL;
    copied = number_copy(fresh, from);
    if (!copied)
        free(fresh);
    return copied;
}

static struct number *number_dup_badly(const struct number *from)
{
    struct number *fresh = number_new(); // alloc: fresh
    if (!fresh)
        return NULL;
    return number_copy(fresh, from); // leak: fresh
}

int main(void)
{
    struct number good = { { 1, 2 }, 2 }, bad = { { 0 }, 9 };
    free(number_dup(&good));
    free(number_dup(&bad));
    free(number_dup_badly(&good));
    free(number_dup_badly(&bad));
    return 0;
}
