// Functions that the library calls: what they do with what they are given.
#define _GNU_SOURCE
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void sorted(void)
{
    int *p = calloc(4, sizeof *p);
    if (!p)
        return;
    qsort(p, 4, sizeof *p, by_value);
    free(p);
}

static void sorted_and_lost(void)
{
    int *p = calloc(4, sizeof *p); // alloc: sorted
    if (!p)
        return;
    qsort(p, 4, sizeof *p, by_value);
} // leak: sorted

static int searched(int n)
{
    int *p = calloc(4, sizeof *p); // alloc: searched
    if (!p)
        return 0;
    return bsearch(&n, p, 4, sizeof *p, by_value) != NULL; // leak: searched
}

static void *owner(void *arg)
{
    free(arg);
    return NULL;
}

static void *guest(void *arg)
{
    *(int *)arg = 1;
    return NULL;
}

static void thread_releases(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (!p)
        return;
    if (pthread_create(&t, NULL, owner, p) != 0) {
        free(p);
        return;
    }
    pthread_join(t, NULL);
}

static void thread_uses(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p);
    if (!p)
        return;
    if (pthread_create(&t, NULL, guest, p) == 0)
        pthread_join(t, NULL);
    free(p);
}

static void nobody_releases(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p); // alloc: nobody
    if (!p)
        return;
    if (pthread_create(&t, NULL, guest, p) == 0)
        pthread_join(t, NULL);
} // leak: nobody

static void not_started(void)
{
    pthread_t t;
    int *p = malloc(sizeof *p); // alloc: not_started
    if (!p)
        return;
    if (pthread_create(&t, NULL, owner, p) != 0)
        return; // leak: not_started; not-run: not_started
    pthread_join(t, NULL);
}

static pthread_t start(void *(*f)(void *), void *arg)
{
    pthread_t t;
    if (pthread_create(&t, NULL, f, arg) != 0)
        abort();
    return t;
}

static void through_a_wrapper(void)
{
    int *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    if (!p || !q)
        abort();
    pthread_t t = start(owner, p), u = start(guest, q);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    free(q);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static void in_a_tree(void)
{
    void *root = NULL;
    char *a = strdup("a");
    if (!a)
        return;
    if (!tsearch(a, &root, by_name))
        free(a);
    tdestroy(root, free);
}

static char *kept;
static void at_end(void) { free(kept); }

int main(void)
{
    atexit(at_end);
    kept = malloc(3);
    sorted();
    sorted_and_lost();
    searched(0);
    thread_releases();
    thread_uses();
    nobody_releases();
    not_started();
    through_a_wrapper();
    in_a_tree();
    return 0;
}
