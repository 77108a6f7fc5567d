// A failed realloc leaves the old block, which nothing refers to any more.
// run: 64
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int extend(size_t want)
{
    char *buf = malloc(16);

    if (!buf)
        return -1;
    strcpy(buf, "seed");
    buf = realloc(buf, want);
    if (!buf)
        return -1;
    buf[want - 1] = '\0';
    free(buf);
    return 0;
}

int main(int argc, char **argv)
{
    printf("%d\n", extend(argc > 1 ? strtoull(argv[1], NULL, 10) : 64));
    return 0;
}
