// The twin of figure 1(b): on the other branch the record goes into a list.
// paper: AutoFix, figure 1(b), with nothing to mend
// fix: none
// run: 4
// run: 5
#include <stdio.h>
#include <stdlib.h>

struct record {
    struct record *next;
    int key;
};

static struct record *kept;

static void use(struct record *r, int keep)
{
    printf("%d\n", r->key);
    if (keep) {
        r->next = kept;
        kept = r;
    }
}

static int handle(int key)
{
    struct record *r = malloc(sizeof *r);
    if (!r)
        return -1;
    r->key = key;
    if (key % 2 == 0) {
        use(r, 0);
        free(r);
        return 0;
    } else {
        use(r, 1);
        puts("odd");
    }
    return 1;
}

int main(int argc, char **argv)
{
    int status = argc > 1 ? handle(atoi(argv[1])) : 2;
    while (kept) {
        struct record *next = kept->next;
        printf("still %d\n", kept->key);
        free(kept);
        kept = next;
    }
    return status;
}
