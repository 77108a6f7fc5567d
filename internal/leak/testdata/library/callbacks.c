// Functions that call what they are given, and what they keep for that.
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) { return strcmp(a, b); }

static void *run(void *arg)
{
    free(arg);
    return NULL;
}

// pthread_create keeps its argument only when it succeeds.
int thread_leaky(void)
{
    pthread_t t;
    char *arg = malloc(16); // alloc: arg; not-run: arg
    if (!arg)
        return -1;
    if (pthread_create(&t, NULL, run, arg))
        return -2; // leak: arg
    pthread_join(t, NULL);
    return 0;
}

int thread_clean(void)
{
    pthread_t t;
    char *arg = malloc(16);
    if (!arg)
        return -1;
    if (pthread_create(&t, NULL, run, arg)) {
        free(arg);
        return -2;
    }
    pthread_join(t, NULL);
    return 0;
}

int sorted_leaky(int n)
{
    char *p = calloc(n, 8); // alloc: sorted
    if (!p)
        return -1;
    qsort(p, n, 8, compare);
    if (bsearch("a", p, n, 8, compare))
        return 1; // leak: sorted
    return 0; // leak: sorted
}

int sorted_clean(int n)
{
    char *p = calloc(n, 8);
    if (!p)
        return -1;
    qsort(p, n, 8, compare);
    int found = bsearch("a", p, n, 8, compare) != NULL;
    free(p);
    return found;
}

static void *root;

int tree_clean(const char *s)
{
    char *key = strdup(s);
    if (!key)
        return -1;
    if (!tsearch(key, &root, compare)) {
        free(key);
        return -2;
    }
    return 0;
}

int tree_leaky(const char *s)
{
    char *key = strdup(s); // alloc: key
    if (!key)
        return -1;
    if (tfind(key, &root, compare))
        return 1; // leak: key
    if (!tsearch(key, &root, compare)) {
        free(key);
        return -2;
    }
    return 0;
}

int main(void)
{
    thread_leaky();
    thread_clean();
    sorted_leaky(2);
    sorted_clean(2);
    tree_clean("a");
    tree_leaky("a");
    return 0;
}
