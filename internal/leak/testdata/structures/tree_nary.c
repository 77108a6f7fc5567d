// A tree whose nodes have an array of children, freed by a loop that recurses.
// Leaky: the array of children, or the name, is left out.
#include <stdlib.h>
#include <string.h>

struct node { char *name; struct node **child; int n; };

static struct node *node(const char *name)
{
    struct node *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->name = strdup(name);
    return t;
}

static void add(struct node *parent, struct node *child)
{
    struct node **p = realloc(parent->child, (size_t)(parent->n + 1) * sizeof *p);
    if (!p)
        abort();
    p[parent->n++] = child;
    parent->child = p;
}

static void free_node(struct node *t)
{
    for (int i = 0; i < t->n; i++)
        free_node(t->child[i]);
    free(t->child);
    free(t->name);
    free(t);
}

static void free_without_array(struct node *t)
{
    for (int i = 0; i < t->n; i++)
        free_without_array(t->child[i]);
    free(t->name);
    free(t); // leak: array
}

static void free_without_name(struct node *t)
{
    for (int i = 0; i < t->n; i++)
        free_without_name(t->child[i]);
    free(t->child);
    free(t); // leak: name
}

static struct node *sample(void)
{
    struct node *root = node("root");
    add(root, node("a"));
    add(root, node("b"));
    return root;
}

int main(void)
{
    free_node(sample());
    free_without_array(sample()); // alloc: array
    free_without_name(sample()); // alloc: name
    return 0;
}
