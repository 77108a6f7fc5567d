#include "join.h"
#include <stdlib.h>
#include <string.h>

char *join(const char *a, const char *b)
{
    char *both = malloc(strlen(a) + strlen(b) + 1);
    if (both) {
        strcpy(both, a);
        strcat(both, b);
    }
    return both;
}
