// A binary tree is built by insertion and freed by recursion; leaky: one side
// is left out.
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static struct tree *insert(struct tree *t, int key)
{
    if (!t) {
        t = calloc(1, sizeof *t); // alloc: node
        if (!t)
            abort();
        t->key = key;
    } else if (key < t->key) {
        t->left = insert(t->left, key);
    } else if (key > t->key) {
        t->right = insert(t->right, key);
    }
    return t;
}

static void free_tree(struct tree *t)
{
    if (!t)
        return;
    free_tree(t->left);
    free_tree(t->right);
    free(t);
}

static void free_left(struct tree *t)
{
    if (!t)
        return;
    free_left(t->left);
    free(t); // leak-missed: node
}

static struct tree *sample(void)
{
    struct tree *t = NULL;
    t = insert(t, 5);
    t = insert(t, 2);
    t = insert(t, 8);
    return t;
}

int main(void)
{
    struct tree *a = sample(), *b = sample();
    free_tree(a);
    free_left(b);
    return 0;
}
// limit-missed: the other side of a tree that recursion builds
