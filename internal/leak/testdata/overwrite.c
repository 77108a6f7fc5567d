// The last reference is overwritten.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void twice(void)
{
    char *p = malloc(1); // alloc: first
    puts(p);
    p = malloc(2); // leak: first "held by 'p' is lost here"
    free(p);
}

void copied(void)
{
    char *p = malloc(1);
    char *q = p;
    p = NULL;
    free(q);
}

void moved(char *s)
{
    char *p = strdup(s); // alloc: moved
    p++;
    p = s; // leak: moved
    puts(p);
}

int self(size_t n)
{
    char *buf = malloc(16); // alloc: self
    if (!buf)
        return -1;
    buf = realloc(buf, n); // leak: self
    if (!buf)
        return -1;
    free(buf);
    return 0;
}

void unused(void)
{
    malloc(3); // alloc: unused; leak: unused "memory allocated by malloc is lost here"
}

int temporary(const char *s)
{
    return strlen(strdup(s)); // alloc: temp; leak: temp
}

int rounds(int n)
{
    char *p = NULL;
    for (int i = 0; i < n; i++)
        p = malloc(i); // alloc: rounds; leak: rounds
    free(p);
    return 0;
}

int nulled(void)
{
    char *p = malloc(1); // alloc: nulled
    p = NULL; // leak: nulled
    free(p);
    return 0;
}
