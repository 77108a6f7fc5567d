// Memory that functions are given the address of, and what they put there.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct slot { int *val; };

static void put(struct slot *s, int *v)
{
	free(s->val); // sole
	s->val = v;
}

static int *mk(int v)
{
	int *p = malloc(sizeof *p);
	if (p)
		*p = v;
	return p;
}

struct twice { int *val; };

static void put_twice(struct twice *s, int *v)
{
	free(s->val); // not sole: one object may be in twice.val twice
	s->val = v;
}

// A list by the address of its head.
struct blk { struct blk *next; int used; char mem[32]; };

static char *get(struct blk **top, int n)
{
	if (!*top || (*top)->used + n > 32) {
		struct blk *b = malloc(sizeof *b);
		if (!b)
			exit(1);
		b->used = 0;
		b->next = *top;
		*top = b;
	}
	(*top)->used += n;
	return (*top)->mem + (*top)->used - n;
}

static void destroy(struct blk **top)
{
	if (*top)
		destroy(&(*top)->next); // sole
	free(*top);
	*top = NULL;
}

// The test looks into what may not be there.
struct chain { struct chain *next; };

static void chain_add(struct chain **top)
{
	struct chain *b = malloc(sizeof *b);
	if (!b)
		exit(1);
	b->next = *top;
	*top = b;
}

static void chain_destroy(struct chain **top)
{
	if ((*top)->next)
		chain_destroy(&(*top)->next); // not sole: may be null here
	free(*top);
	*top = NULL;
}

// A struct that may not be there.
struct buf { char *data; };

static struct buf *buf_new(void)
{
	struct buf *b = malloc(sizeof *b);
	if (!b)
		return NULL;
	b->data = malloc(10);
	return b;
}

static void buf_free(struct buf *b)
{
	free(b->data); // not sole: b may be null here
	free(b);
}

static void buf_free_tested(struct buf *b)
{
	if (b)
		free(b->data); // sole
	free(b);
}

static void buf_free_or_not(struct buf *b)
{
	if (!b)
		return;
	free(b->data); // sole
	free(b);
}

struct u { char *name; int id; };

static int set(struct u *u, const char *n)
{
	free(u->name); // sole
	u->name = strdup(n);
	return u->name ? 0 : -1;
}

struct self { char *name; };

static void set_self(struct self *u, const char *n)
{
	free(u->name); // not sole: self.name may still be used here by way of n
	u->name = strdup(n);
}

static void set_self_late(struct self *u, const char *n)
{
	char *old = u->name;
	u->name = strdup(n);
	free(old); // sole
}

int main(int argc, char **argv)
{
	struct slot s = { NULL };
	struct twice t = { NULL };
	struct blk *a = NULL;
	struct chain *c = NULL;
	struct u u = { 0 };
	struct self self = { NULL };
	int *twice = mk(3);
	put(&s, mk(1));
	put(&s, mk(2));
	free(s.val);
	put_twice(&t, twice);
	put_twice(&t, twice);
	for (int i = 0; i < argc; i++)
		get(&a, 8)[0] = 'x';
	destroy(&a);
	chain_add(&c);
	chain_destroy(&c);
	buf_free(buf_new());
	buf_free_tested(buf_new());
	buf_free_or_not(buf_new());
	set(&u, "anon");
	if (argc > 1)
		set(&u, argv[1]);
	puts(u.name);
	free(u.name);
	set_self(&self, "b");
	set_self(&self, self.name + 1);
	set_self_late(&self, self.name + 1);
	puts(self.name);
	free(self.name);
	return 0;
}
