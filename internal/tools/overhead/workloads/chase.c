// Pointer-heavy: a splay tree whose nodes are also in a list ordered by last
// use. Every lookup turns the tree and moves a node to the front of the list:
// loads and stores of pointers and little else.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 500000, LOOKUPS = 1500000 };

struct node {
	struct node *left, *right;
	struct node *newer, *older;
	unsigned key, hits;
};

static struct node *root;
static struct node ends; // of the list: ends.older is the newest
static unsigned long long state = 42;

static unsigned roll(void) {
	state = state * 6364136223846793005ull + 1442695040888963407ull;
	return state >> 33;
}

static struct node *splay(struct node *t, unsigned key) {
	struct node sides = {0}, *l = &sides, *r = &sides;
	if (!t)
		return NULL;
	for (;;) {
		if (key < t->key) {
			if (!t->left)
				break;
			if (key < t->left->key) {
				struct node *y = t->left;
				t->left = y->right;
				y->right = t;
				t = y;
				if (!t->left)
					break;
			}
			r->left = t;
			r = t;
			t = t->left;
		} else if (key > t->key) {
			if (!t->right)
				break;
			if (key > t->right->key) {
				struct node *y = t->right;
				t->right = y->left;
				y->left = t;
				t = y;
				if (!t->right)
					break;
			}
			l->right = t;
			l = t;
			t = t->right;
		} else {
			break;
		}
	}
	l->right = t->left;
	r->left = t->right;
	t->left = sides.right;
	t->right = sides.left;
	return t;
}

static void unlink_node(struct node *n) {
	n->newer->older = n->older;
	n->older->newer = n->newer;
}

static void push(struct node *n) {
	n->older = ends.older;
	n->newer = &ends;
	ends.older->newer = n;
	ends.older = n;
}

static struct node *insert(unsigned key) {
	struct node *n = calloc(1, sizeof *n);
	if (!n)
		abort();
	n->key = key;
	root = splay(root, key);
	if (root && root->key == key) {
		free(n);
		return root;
	}
	if (root && key < root->key) {
		n->left = root->left;
		n->right = root;
		root->left = NULL;
	} else if (root) {
		n->right = root->right;
		n->left = root;
		root->right = NULL;
	}
	root = n;
	push(n);
	return n;
}

// The one leak: its copy is never released.
static size_t configure(const char *name) {
	char *own = malloc(strlen(name) + 1);
	if (!own)
		abort();
	strcpy(own, name);
	return strlen(own);
}

int main(void) {
	unsigned long long sum = configure("chase");
	ends.newer = ends.older = &ends;
	for (int i = 0; i < NODES; i++)
		insert(roll() % (1u << 20));
	for (int i = 0; i < LOOKUPS; i++) {
		// Mostly among few keys, as in a cache.
		unsigned key = i % 8 ? roll() % 4096 * 256 : roll() % (1u << 20);
		root = splay(root, key);
		root->hits++;
		unlink_node(root);
		push(root);
		sum += root->key;
	}
	for (struct node *n = ends.older; n != &ends;) {
		struct node *older = n->older;
		sum = sum * 31 + n->key + n->hits;
		free(n);
		n = older;
	}
	printf("chase %llu\n", sum);
	return 0;
}
