// Memory that a library keeps inside of a struct of the caller.
#define _GNU_SOURCE
#include <glob.h>
#include <regex.h>
#include <search.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

int regex_leaky(const char *s)
{
    regex_t re;
    if (regcomp(&re, "a.c", REG_EXTENDED)) // alloc: regex
        return -1;
    if (regexec(&re, s, 0, NULL, 0))
        return -2; // leak: regex "regular expression opened by regcomp and held by 're'"
    regfree(&re);
    return 0;
}

int regex_clean(const char *s)
{
    regex_t re;
    int e = regcomp(&re, "a.c", REG_EXTENDED);
    if (e) {
        char why[80];
        regerror(e, &re, why, sizeof why);
        return -1;
    }
    int found = regexec(&re, s, 0, NULL, 0);
    regfree(&re);
    return found;
}

struct rule { int n; regex_t re; };

static int rule_set(struct rule *r, const char *s)
{
    return regcomp(&r->re, s, 0);
}

static void rule_clear(struct rule *r)
{
    regfree(&r->re);
}

int rule_leaky(const char *s)
{
    struct rule r;
    if (rule_set(&r, "a.c")) // alloc: rule
        return -1;
    if (regexec(&r.re, s, 0, NULL, 0))
        return -2; // leak: rule
    rule_clear(&r);
    return 0;
}

int rule_clean(const char *s)
{
    struct rule r;
    if (rule_set(&r, "a.c"))
        return -1;
    int found = regexec(&r.re, s, 0, NULL, 0);
    rule_clear(&r);
    return found;
}

size_t glob_leaky(void)
{
    glob_t g = {0};
    if (glob("/*", 0, NULL, &g)) // alloc: paths
        return 0;
    return g.gl_pathc; // leak: paths
}

size_t glob_clean(void)
{
    glob_t g = {0};
    if (glob("/*", 0, NULL, &g))
        return 0;
    if (glob("/usr/*", GLOB_APPEND, NULL, &g)) {
        globfree(&g);
        return 0;
    }
    size_t n = g.gl_pathc;
    globfree(&g);
    return n;
}

int words_leaky(void)
{
    wordexp_t w;
    if (wordexp("a b", &w, 0)) // alloc: words
        return -1;
    return w.we_wordc; // leak: words
}

int words_clean(void)
{
    wordexp_t w;
    if (wordexp("a b", &w, 0))
        return -1;
    int n = w.we_wordc;
    wordfree(&w);
    return n;
}

int table_leaky(void)
{
    struct hsearch_data tab;
    memset(&tab, 0, sizeof tab);
    if (!hcreate_r(16, &tab)) // alloc: table
        return -1;
    return 0; // leak: table
}

int table_clean(void)
{
    struct hsearch_data tab;
    memset(&tab, 0, sizeof tab);
    if (!hcreate_r(16, &tab))
        return -1;
    hdestroy_r(&tab);
    return 0;
}

int actions_leaky(void)
{
    posix_spawn_file_actions_t a;
    posix_spawn_file_actions_init(&a);
    if (posix_spawn_file_actions_addclose(&a, 3)) // alloc: actions
        return -1;
    return 0; // leak: actions
}

int actions_clean(void)
{
    posix_spawn_file_actions_t a;
    posix_spawn_file_actions_init(&a);
    posix_spawn_file_actions_addclose(&a, 3);
    posix_spawn_file_actions_addopen(&a, 4, "/dev/null", 0, 0);
    posix_spawn_file_actions_destroy(&a);
    return 0;
}

int main(void)
{
    regex_leaky("b");
    regex_clean("abc");
    rule_leaky("b");
    rule_clean("abc");
    glob_leaky();
    glob_clean();
    words_leaky();
    words_clean();
    table_leaky();
    table_clean();
    actions_leaky();
    actions_clean();
    return 0;
}
