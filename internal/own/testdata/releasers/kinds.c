// Functions that release, and functions that only look so.
#include <stdlib.h>
#include <string.h>

struct table {
	char **rows;
	int refs;
	void (*drop)(void *);
};

struct table *table_new(void)
{
	struct table *t = calloc(1, sizeof *t); // by: table_free(p), free(p)
	return t;
}

// It passes its table to a callback, which the check cannot follow.
void table_free(struct table *t)
{
	if (!t)
		return;
	if (t->drop)
		t->drop(t);
	free(t->rows);
	free(t);
}

static void drop_empty(char **s)
{
	if (!**s) {
		free(*s);
		*s = NULL;
	}
}

// Gives it back in another form.
static char *shrunk(char *s)
{
	char *n = strdup(s); // by: free(p)
	free(s);
	return n;
}

void tables(int n)
{
	struct table *t = table_new(); // by: table_free(p), free(p)
	if (n)
		table_free(t);
}

int strings(int n)
{
	char *s = strdup("x"); // by: free(p), drop_empty(&p)
	drop_empty(&s);
	if (n) {
		char *u = strdup("y"); // by: free(p)
		char *t = shrunk(u); // by: free(p)
		return *t;
	}
	if (s)
		return *s;
	return 0;
}

struct pool {
	int used;
};
struct node {
	int n;
};
struct pool the_pool;

static void node_free(struct pool *pool, struct node *n)
{
	pool->used--;
	free(n);
}

int nodes(struct pool *pool, int n)
{
	struct node *a = malloc(sizeof *a); // by: free(p), node_free(pool, p)
	if (n)
		return 1;
	node_free(pool, a);
	return 0;
}

int elsewhere(struct pool *mine, int n)
{
	struct node *b = malloc(sizeof *b); // by: free(p), node_free(mine, p)
	return n;
}

int nowhere(int n)
{
	struct node *c = malloc(sizeof *c); // by: free(p)
	return n;
}

struct buf {
	size_t len;
	char *data;
};

static void buf_release(struct buf *b)
{
	free(b->data);
	b->data = NULL;
}

static void buf_set(struct buf *b, const char *s)
{
	free(b->data);
	b->data = strdup(s); // by: free(p), buf_release(p)
}

int bufs(int n)
{
	struct buf b = {0};
	b.data = malloc(10); // by: buf_release(p), free(p)
	if (n)
		return 1;
	buf_set(&b, "x");
	buf_release(&b);
	return 0;
}
