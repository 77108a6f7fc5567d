// This file holds what random programs have in common.

package fixtest

// prelude is the head of a random program. It loses nothing by itself.
const prelude = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    struct node *next;
    char *name;
    int count;
};

static const char *script;
static int total;
static char *kept;
static char *slot;

static int next(void)
{
    return *script ? *script++ - '0' : 0;
}

static int show(const char *text)
{
    int n = text ? (int)strlen(text) : -1;
    printf("%d %s\n", n, text ? text : "-");
    return n;
}

static int weigh(const char *text)
{
    return text && *text ? *text % 7 : 0;
}

static char *xdup(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        exit(9);
    return copy;
}

static struct node *node_new(const char *name)
{
    struct node *n = calloc(1, sizeof *n);
    if (!n)
        return NULL;
    n->name = strdup(name);
    if (!n->name) {
        free(n);
        return NULL;
    }
    return n;
}

static void node_free(struct node *n)
{
    if (!n)
        return;
    free(n->name);
    free(n);
}

static void node_show(const struct node *n)
{
    if (n)
        printf("node %s %d\n", n->name ? n->name : "-", n->count);
}

static int offer(char *text)
{
    if (slot || !text)
        return 0;
    slot = text;
    return 1;
}

static void take_back(void)
{
    if (slot)
        show(slot);
    free(slot);
    slot = NULL;
}

static void consume(char *text)
{
    total += weigh(text);
    free(text);
}
`
