// Inserting into a binary tree a key that is there replaces the node, whose subtrees
// move over to the new one, but not its value.
//
// run: 0 =>
// run: 1 => A=1/40 V=1/8
#include <stdlib.h>

struct node { struct node *left, *right; int key; long *value; long pad; };

static struct node *node_new(int key)
{
	struct node *n = malloc(sizeof *n); // alloc: A
	n->left = n->right = NULL;
	n->key = key;
	n->value = malloc(8); // alloc: V
	*n->value = key;
	return n;
}

static void insert(struct node **at, int key)
{
	struct node *fresh = node_new(key);
	while (*at && (*at)->key != key)
		at = key < (*at)->key ? &(*at)->left : &(*at)->right;
	if (*at) {
		fresh->left = (*at)->left;
		fresh->right = (*at)->right;
	}
	*at = fresh; // leak: A; leak: V
}

static void release(struct node *n)
{
	if (!n)
		return;
	release(n->left);
	release(n->right);
	free(n->value);
	free(n);
}

int main(int argc, char **argv)
{
	struct node *root = NULL;
	int keys[] = { 5, 2, 8, 1, 3, 9 };
	for (int i = 0; i < 6; i++)
		insert(&root, keys[i]);
	if (argc > 1 && atoi(argv[1]))
		insert(&root, 2);
	release(root);
	return 0;
}
