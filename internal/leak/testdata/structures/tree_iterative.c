// A tree is freed without recursion: by a stack of its nodes, or by turning its
// left links. Leaky: the stack is not freed.
#include <stdlib.h>

struct tree { struct tree *left, *right; };

static struct tree *tree(struct tree *left, struct tree *right)
{
    struct tree *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->left = left;
    t->right = right;
    return t;
}

static struct tree *sample(void) { return tree(tree(NULL, NULL), tree(tree(NULL, NULL), NULL)); }

static void free_by_stack(struct tree *root)
{
    struct tree **stack = malloc(16 * sizeof *stack);
    int n = 0;
    if (!stack)
        abort();
    if (root)
        stack[n++] = root;
    while (n > 0) {
        struct tree *t = stack[--n];
        if (t->left)
            stack[n++] = t->left;
        if (t->right)
            stack[n++] = t->right;
        free(t);
    }
    free(stack);
}

static void free_by_turning(struct tree *t)
{
    while (t) {
        if (t->left) {
            struct tree *l = t->left;
            t->left = l->right;
            l->right = t;
            t = l;
        } else {
            struct tree *r = t->right;
            free(t);
            t = r;
        }
    }
}

static int free_by_stack_badly(struct tree *root)
{
    struct tree **stack = malloc(16 * sizeof *stack); // alloc: stack
    int n = 0, freed = 0;
    if (!stack)
        abort();
    if (root)
        stack[n++] = root;
    while (n > 0) {
        struct tree *t = stack[--n];
        if (t->left)
            stack[n++] = t->left;
        if (t->right)
            stack[n++] = t->right;
        free(t);
        freed++;
    }
    return freed; // leak: stack
}

int main(void)
{
    free_by_stack(sample());
    free_by_turning(sample());
    free_by_stack_badly(sample());
    return 0;
}
