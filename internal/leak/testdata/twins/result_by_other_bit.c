// As idiom_result_by_flag_bit.c, but the bit asked for is another one, so there is a
// block.
#include <stdlib.h>

void *load(int flags) {
    if (flags & 2) return NULL;
    return malloc(3);
}

int check(void) {
    void *p = load(1); // alloc: o0
    return p != NULL; // leak: o0
}

int main(void) {
    free(load(0));
    check();
    return 0;
}
