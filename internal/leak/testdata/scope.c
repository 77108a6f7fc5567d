// A variable goes out of scope.
#include <stdio.h>
#include <stdlib.h>

int each(int n)
{
    for (int i = 0; i < n; i++) {
        char *p = calloc(1, i + 1); // alloc: p
        if (i == 3)
            continue; // leak: p "held by 'p' is forgotten here"
        if (i == 5)
            break; // leak: p
        free(p);
    }
    return n;
}

int block(int n)
{
    if (n > 3) {
        char *p = calloc(1, n); // alloc: block
        puts(p);
    } // leak: block
    puts("x");
    return 0;
}

// The end of a loop in main is not the end of main.
int main(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        char *p = calloc(1, i + 1); // alloc: main
        puts(p);
    } // leak: main
    each(5);
    each(6);
    return block(4);
}
