// Objects that hold others, and no function that releases both.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
	int id;
	char *name;
	struct {
		FILE *in;
	} io;
};

int job(const char *s)
{
	struct job *j = malloc(sizeof *j); // whole: free(p->name); fclose(p->io.in); free(p)
	if (!j)
		return -1;
	j->name = strdup(s); // whole: free(p)
	j->io.in = fopen(s, "r"); // whole: fclose(p)
	return 0;
}

struct pair {
	char *key, *value;
};

struct pair *pair_new(const char *k)
{
	struct pair *p = calloc(1, sizeof *p); // whole: free(p->key); free(p)
	if (!p)
		exit(1);
	p->key = strdup(k);
	return p;
}

int pairs(void)
{
	struct pair *p = pair_new("a"); // whole: free(p->key); free(p)
	return p->key[0];
}

// With a function that empties it.
static void empty(char **list, int n)
{
	for (int i = 0; i < n; i++)
		free(list[i]);
}

static char **words(int n)
{
	char **list = calloc(n, sizeof *list);
	if (!list)
		exit(1);
	for (int i = 0; i < n; i++)
		list[i] = strdup("word");
	return list;
}

int emptied(int n, int m)
{
	char **list = words(n); // whole: empty(p, n); free(p)
	if (m)
		return 1;
	empty(list, n);
	free(list);
	return 0;
}

int plain(void)
{
	char *s = strdup("x"); // whole: free(p)
	return *s;
}

// Pointers of an object to itself are nothing that it holds.
struct list {
	char *first, **last;
	void *memory;
};

int lists(void)
{
	struct list *l = malloc(sizeof *l); // whole: free(p->first); free(p)
	if (!l)
		return -1;
	l->first = strdup("x");
	l->last = &l->first;
	l->memory = l;
	return 0;
}
