// What is used may be on the stack or on the heap: a free at the end must know
// which.
// paper: AutoFix, figure 1a: leak; freeing too early or without the condition would be wrong
#include <stdio.h>
#include <stdlib.h>

static void show(int small)
{
    char near[8] = "near";
    char *text;
    if (small) {
        text = near;
    } else {
        text = calloc(1, 64); // alloc: text
        if (!text)
            return;
    }
    text[0] = 'x';
    puts(text);
} // leak: text

static void show_well(int small)
{
    char near[8] = "near";
    char *text;
    if (small) {
        text = near;
    } else {
        text = calloc(1, 64);
        if (!text)
            return;
    }
    text[0] = 'x';
    puts(text);
    if (!small)
        free(text);
}

int main(void)
{
    show(0);
    show(1);
    show_well(0);
    show_well(1);
    return 0;
}
