// The difference of two pointers into a block is a length, and the last bits of a
// pointer say how it is aligned: neither hides the block.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t longest;
static uintptr_t hidden;
static char base[1];

// As strlcpy does it.
static size_t copy(char *to, const char *from, size_t n)
{
    const char *start = from;
    while (n > 1 && *from) {
        *to++ = *from++;
        n--;
    }
    *to = 0;
    return (size_t)(from - start);
}

static int key_length(const char *s)
{
    char *line = strdup(s), *colon; // alloc: line
    if (!line)
        return -1;
    colon = strchr(line, ':');
    if (!colon)
        return -1; // leak: line
    longest = (size_t)(colon - line);
    free(line);
    return 0;
}

static int copied(const char *s)
{
    char small[8], *line = strdup(s); // alloc: copied
    if (!line)
        return -1;
    return (int)copy(small, line, sizeof small); // leak: copied
}

static int aligned(void)
{
    char *p = malloc(8); // alloc: aligned
    longest += ((uintptr_t)p & 7) == 0;
    return 0; // leak: aligned
}

// How far it is from something else finds it again.
static void put(void) { hidden = (uintptr_t)malloc(8) - (uintptr_t)base; }
static void take(void) { free((char *)(hidden + (uintptr_t)base)); }

int main(void)
{
    key_length("a:b");
    key_length("a");
    copied("x");
    aligned();
    put();
    take();
    printf("%zu\n", longest);
    return 0;
}
