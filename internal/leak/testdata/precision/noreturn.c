// What comes after a function that does not return is not a path; whether it
// returns is not always declared.
// run:
// run: die
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void declared(const char *msg)
{
    fprintf(stderr, "%s\n", msg);
    exit(0);
}

static void inferred(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    exit(0);
}

static void warn(const char *msg) { fprintf(stderr, "%s\n", msg); }

// Does not return if it is told so.
static void maybe(int fatal, const char *msg)
{
    fprintf(stderr, "%s\n", msg);
    if (fatal)
        exit(0);
}

static void by_declaration(int bad)
{
    char *s = strdup("x");
    if (bad)
        declared("bad");
    free(s);
}

static void by_inference(int bad)
{
    char *s = strdup("x");
    if (bad)
        inferred("%s\n", "bad");
    free(s);
}

static int by_argument(int bad)
{
    char *s = strdup("x");
    if (bad) {
        maybe(1, "bad");
        return -1;
    }
    free(s);
    return 0;
}

static int returns(int bad)
{
    char *s = strdup("x"); // alloc: warned
    if (bad) {
        warn("bad");
        return -1; // leak: warned
    }
    free(s);
    return 0;
}

static int mild(int bad)
{
    char *s = strdup("x"); // alloc: mild
    if (bad) {
        maybe(0, "bad");
        return -1; // leak: mild
    }
    free(s);
    return 0;
}

int main(int argc, char **argv)
{
    by_declaration(0);
    by_inference(0);
    by_argument(0);
    returns(1);
    mild(1);
    if (argc > 1 && strcmp(argv[1], "die") == 0)
        by_argument(1);
    return 0;
}
