// Functions that do more than to release, and functions that are not declared yet.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int total;
size_t in_use;

static void consume(char *t)
{
	total += t[0];
	free(t);
}

static void shown(char *t)
{
	puts(t);
	free(t);
}

void *get(size_t n)
{
	in_use += n;
	return malloc(n); // by: free(p), put(p)
}

void put(void *p)
{
	in_use -= 8;
	free(p);
}

struct conn {
	int fd;
	char *name;
};

void conn_free(struct conn *c)
{
	c->fd = -1;
	free(c->name);
	free(c);
}

int strings(int n)
{
	char *a = strdup("x"); // by: free(p), consume(p)
	char *b = strdup("y"); // by: free(p), shown(p)
	char *c = get(8); // by: put(p), free(p)
	if (n)
		return 1;
	consume(a);
	shown(b);
	put(c);
	return 0;
}

struct item {
	struct item *next;
};

int items(int n)
{
	struct item *i = calloc(1, sizeof *i); // by: free(p)
	struct conn *c = calloc(1, sizeof *c); // by: conn_free(p), free(p)
	return n;
}

static void item_free(struct item *i)
{
	free(i);
}

int more_items(int n)
{
	struct item *i = calloc(1, sizeof *i); // by: item_free(p), free(p)
	if (n)
		item_free(i);
	return n;
}
