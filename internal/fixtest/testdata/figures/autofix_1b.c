// One function uses the record on both branches; only one of them releases it.
// paper: AutoFix, figure 1(b): released in the else branch of the caller, never in the function that uses it
// fix: fixed
// run: 4
// run: 5
#include <stdio.h>
#include <stdlib.h>

struct record {
    int key;
    int value;
};

static void use(const struct record *r)
{
    printf("%d=%d\n", r->key, r->value);
}

static int handle(int key)
{
    struct record *r = malloc(sizeof *r);
    if (!r)
        return -1;
    r->key = key;
    r->value = key * key;
    if (key % 2 == 0) {
        use(r);
        free(r);
    } else {
        use(r); // mend
        puts("odd"); // mend
    }
    return key % 2;
}

int main(int argc, char **argv)
{
    return argc > 1 ? handle(atoi(argv[1])) : 2;
}
