// Clean. Whether there is a result depends on a bit of the argument.
#include <stdlib.h>

void *load(int flags) {
    if (flags & 2) return NULL;
    return malloc(3);
}

int check(void) {
    void *p = load(2);
    return p != NULL;
}

int main(void) {
    free(load(0));
    return check();
}
