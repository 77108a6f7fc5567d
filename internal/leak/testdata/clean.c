// What a careful programmer writes: nothing to report.
// no-run: keep, verbose and die are defined nowhere
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int verbose;
extern void keep(char *);
extern void die(const char *) __attribute__((noreturn));
char *global;
struct box { char *name; };

char *returned(void) { return strdup("x"); }
void stored(void) { global = malloc(3); }
void passed(void) { keep(malloc(3)); }
void into(struct box *b) { b->name = strdup("y"); }

char *either(int n)
{
    char *p = malloc(n);
    return p && n > 3 ? p : (free(p), NULL);
}

int flag(int y)
{
    char *p = NULL;
    if (y)
        p = malloc(3);
    puts("work");
    if (y)
        free(p);
    return 0;
}

int global_flag(void)
{
    char *p = NULL;
    if (verbose)
        p = malloc(3);
    puts("work");
    if (verbose)
        free(p);
    return 0;
}

int owned(const char *s, int n)
{
    char fixed[16];
    char *p = fixed;
    if (n > 16 && !(p = malloc(n)))
        return -1;
    memcpy(p, s, n);
    if (p != fixed)
        free(p);
    return 0;
}

int unsigned_bound(unsigned n)
{
    char *p = NULL;
    if (n > 16)
        p = malloc(n);
    for (unsigned i = 0; i < n; i++)
        putchar('.');
    if (n >= 17)
        free(p);
    return 0;
}

int need_free(int n)
{
    int owned = 0;
    char *p = "static";
    if (n > 3) {
        p = strdup("x");
        owned = 1;
    }
    puts(p);
    if (owned)
        free(p);
    return n;
}

int fallthrough(int lv)
{
    char *a = NULL, *b = NULL;
    switch (lv) {
    case 2:
        b = malloc(1);
    case 1:
        a = malloc(1);
        break;
    default:
        return -1;
    }
    switch (lv) {
    case 2:
        free(b);
    default:
        free(a);
    }
    return 0;
}

int loops(int n)
{
    char *all = malloc(n);
    for (int i = 0; i < n; i++) {
        char *one = malloc(1);
        if (!one)
            continue;
        free(one);
    }
    free(all);
    return 0;
}

char *grow(int n)
{
    char *p = NULL;
    for (int i = 1; i < n; i++) {
        char *q = realloc(p, i);
        if (!q) {
            free(p);
            return NULL;
        }
        p = q;
    }
    return p;
}

int once(int n)
{
    char *p = NULL;
    while (n-- > 0) {
        if (!p)
            p = malloc(10);
        puts("x");
    }
    free(p);
    return 0;
}

int fatal(int n)
{
    char *p = malloc(n);
    if (!p)
        die("memory");
    if (n > 3)
        die("large");
    if (n > 2)
        exit(1);
    free(p);
    return 0;
}

int found(char **names, int n)
{
    char *hit = NULL;
    int have = 0;
    for (int i = 0; i < n; i++)
        if (names[i][0] == 'x') {
            hit = strdup(names[i]);
            have = 1;
            break;
        }
    if (!have)
        return 0;
    puts(hit);
    free(hit);
    return 1;
}

int pair(int n)
{
    int rc = -1;
    char *a = malloc(n), *b = malloc(n);
    if (a && b)
        rc = a == b;
    free(a);
    free(b);
    return rc;
}

int both(int n)
{
    char *a = malloc(n);
    if (a == NULL)
        return -1;
    char *b = malloc(n);
    if (b == NULL) {
        free(a);
        return -1;
    }
    free(b);
    free(a);
    return 0;
}

int out_of(int n)
{
    struct box b = { 0 };
    b.name = strdup("field");
    if (n)
        puts("x");
    free(b.name);
    return 0;
}

// Memory that main still has at its end is no leak.
int main(void)
{
    char *p = malloc(3);
    puts(p);
    return 0;
}
