// Loops: continue and break skip the release; the object of a round is not needed in
// the next.
// run: 4
// run: 9
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int skips(int n)
{
    int hits = 0;
    for (int i = 0; i < n; i++) {
        char *s = malloc(8);
        if (!s)
            break;
        sprintf(s, "%d", i);
        if (s[0] == '2')
            continue;
        if (s[0] == '7')
            break;
        hits += s[0];
        free(s);
    }
    return hits;
}

static int outside(int n)
{
    char *s;
    int sum = 0;
    while (n > 0) {
        s = malloc(8);
        if (!s)
            return -1;
        sprintf(s, "%d", n);
        sum += s[0];
        n--;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 4;
    printf("%d %d\n", skips(n), outside(n));
    return 0;
}
