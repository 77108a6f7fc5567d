// A tree of three nodes built in one function; leaky: one child is not freed.
#include <stdlib.h>

struct tree { struct tree *left, *right; };

static struct tree *leaf(void)
{
    struct tree *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->left = t->right = NULL;
    return t;
}

static void clean(void)
{
    struct tree *t = leaf();
    t->left = leaf();
    t->right = leaf();
    free(t->left);
    free(t->right);
    free(t);
}

static void leaky(void)
{
    struct tree *t = leaf();
    t->left = leaf();
    t->right = leaf(); // alloc: right
    free(t->left);
    free(t); // leak: right
}

static void grandchild(void)
{
    struct tree *t = leaf();
    t->left = leaf();
    t->left->left = leaf(); // alloc: deep
    free(t->left); // leak-missed: deep
    free(t);
}

int main(void)
{
    clean();
    leaky();
    grandchild();
    return 0;
}
// limit-missed: two levels down in a tree
