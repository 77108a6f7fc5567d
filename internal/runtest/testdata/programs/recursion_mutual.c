// A parser of nested lists: list and item call each other, and the error deep
// inside goes up without releasing what the levels built.
//
// run: (a(b)c) =>
// run: (a(b!)c) => A=2/32 B=2/16
#include <stdlib.h>

struct node { struct node *next; char *text; };

static const char *in;
static struct node *list(void);

static void release(struct node *n)
{
	while (n) {
		struct node *next = n->next;
		free(n->text);
		free(n);
		n = next;
	}
}

static char *word(void)
{
	char *w = malloc(8); // alloc: B
	w[0] = *in++;
	return w;
}

static int item(struct node **to)
{
	if (*in == '(') {
		struct node *sub = list();
		if (!sub)
			return -1;
		release(sub);
		return 0;
	}
	if (*in == '!')
		return -1;
	struct node *n = malloc(sizeof *n); // alloc: A
	n->text = word();
	n->next = *to;
	*to = n;
	return 1;
}

static struct node *list(void)
{
	struct node *head = NULL;
	in++;
	while (*in && *in != ')')
		if (item(&head) < 0)
			return NULL; // leak: A; leak: B
	in++;
	return head;
}

int main(int argc, char **argv)
{
	in = argc > 1 ? argv[1] : "()";
	release(list());
	return 0;
}
