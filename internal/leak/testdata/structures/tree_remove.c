// A node is removed from a search tree: a leaf is unlinked, a node with one child
// is replaced by it, one with two takes the key of its successor. Leaky: the
// node that is replaced is not freed.
#include <stdlib.h>

struct tree { int key; struct tree *left, *right; };

static void insert(struct tree **t, int key)
{
    while (*t)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    *t = calloc(1, sizeof **t); // alloc: node
    if (!*t)
        abort();
    (*t)->key = key;
}

static struct tree **find(struct tree **t, int key)
{
    while (*t && (*t)->key != key)
        t = key < (*t)->key ? &(*t)->left : &(*t)->right;
    return t;
}

static void delete_key(struct tree **root, int key)
{
    struct tree **t = find(root, key), *gone = *t;
    if (!gone)
        return;
    if (gone->left && gone->right) {
        struct tree **next = &gone->right;
        while ((*next)->left)
            next = &(*next)->left;
        gone->key = (*next)->key;
        t = next;
        gone = *t;
    }
    *t = gone->left ? gone->left : gone->right;
    free(gone);
}

static void delete_badly(struct tree **root, int key)
{
    struct tree **t = find(root, key), *gone = *t;
    if (!gone)
        return;
    *t = gone->left ? gone->left : gone->right;
} // leak-missed: node

static void free_tree(struct tree *t)
{
    if (t) {
        free_tree(t->left);
        free_tree(t->right);
        free(t);
    }
}

int main(void)
{
    static const int keys[] = { 4, 2, 6, 1, 3, 5, 7 };
    struct tree *t = NULL;
    for (int i = 0; i < 7; i++)
        insert(&t, keys[i]);
    delete_key(&t, 1);
    delete_key(&t, 4);
    delete_badly(&t, 2);
    free_tree(t);
    return 0;
}
// limit-missed: a node unlinked from a tree through a pointer to a link
