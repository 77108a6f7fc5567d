// noreturn and analyzer_noreturn end a path.
#include <stdlib.h>
#include <string.h>

__attribute__((noreturn)) void lib_die(const char *why);
void lib_fail(const char *why);
void lib_fail(const char *why) __attribute__((analyzer_noreturn));
void lib_complain(const char *why);

int die_clean(int n)
{
    char *p = malloc(16);
    if (!p)
        return -1;
    memset(p, n, 16);
    if (n < 0)
        lib_die("n");
    free(p);
    return 0;
}

int fail_clean(int n)
{
    char *p = malloc(16);
    if (!p)
        return -1;
    memset(p, n, 16);
    if (n < 0) {
        lib_fail("n");
        return -2;
    }
    free(p);
    return 0;
}

int complain_leaky(int n)
{
    char *p = malloc(16); // alloc: complained
    if (!p)
        return -1;
    memset(p, n, 16);
    if (n < 0) {
        lib_complain("n");
        return -2; // leak: complained
    }
    free(p);
    return 0;
}

int main(void)
{
    die_clean(1);
    fail_clean(1);
    complain_leaky(-1);
    return 0;
}
