// Owners as programs have them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *current;

static void set_current(const char *d)
{
	size_t n = strlen(d) + 1;
	free(current); // sole
	current = malloc(n);
	if (current)
		memcpy(current, d, n);
}

// A value in a hash table.
struct ent { char *key, *val; struct ent *next; };
struct map { struct ent *b[8]; };

static int map_put(struct map *m, const char *k, const char *v)
{
	struct ent *e;
	unsigned h = k[0] % 8;

	for (e = m->b[h]; e; e = e->next)
		if (strcmp(e->key, k) == 0) {
			free(e->val); // sole
			e->val = strdup(v);
			return e->val ? 0 : -1;
		}
	e = malloc(sizeof *e);
	if (!e)
		return -1;
	e->key = strdup(k);
	e->val = strdup(v);
	e->next = m->b[h];
	m->b[h] = e;
	return 0;
}

static void map_free(struct map *m)
{
	for (int i = 0; i < 8; i++)
		while (m->b[i]) {
			struct ent *e = m->b[i];
			m->b[i] = e->next;
			free(e->key);
			free(e->val);
			free(e);
		}
}

// What an object holds goes before it.
struct buf { char *data; int n; };

static struct buf *buf_new(size_t cap)
{
	struct buf *b = malloc(sizeof *b);
	if (!b)
		return NULL;
	b->data = malloc(cap);
	b->n = 0;
	return b;
}

static void buf_free(struct buf *b)
{
	free(b->data); // sole
	free(b);
}

// A tree.
struct node { int key; struct node *kid, *sib; };

static struct node *mk(int k, struct node *kid, struct node *sib)
{
	struct node *n = malloc(sizeof *n);
	if (!n)
		exit(1);
	n->key = k;
	n->kid = kid;
	n->sib = sib;
	return n;
}

static void destroy(struct node *n)
{
	if (!n)
		return;
	destroy(n->kid); // sole
	destroy(n->sib); // sole
	free(n);
}

// A move from one global to another.
static int *active, *backup;

static void start(int v)
{
	active = malloc(sizeof *active);
	if (active)
		*active = v;
}

static void park(void)
{
	free(backup); // sole
	backup = active;
	active = NULL;
}

// One that leaves the pointer where it was.
static int *here, *there;

static void begin(int v)
{
	here = malloc(sizeof *here);
	if (here)
		*here = v;
}

static void stop(int n)
{
	free(there); // not sole: there may be what other memory holds, too
	there = here;
	if (n)
		here = NULL;
}

// A ring.
struct ring { struct ring *next; };

static struct ring *ring_new(void)
{
	struct ring *a = calloc(1, sizeof *a), *b = calloc(1, sizeof *b);
	if (!a || !b)
		exit(1);
	a->next = b;
	b->next = a;
	return a;
}

static void ring_free(struct ring *r)
{
	if (!r)
		return;
	ring_free(r->next); // not sole: ring.next may still be used here by way of r
	free(r);
}

// Two that are moved to from one.
static char *from, *to, *too;

static void split(const char *s)
{
	from = strdup(s);
	char *p = from;
	free(to); // not sole: to may be what other memory holds, too
	to = p;
	too = p;
	from = NULL;
}

// Set to what it was.
static char *same;

static void set_same(const char *s)
{
	char *old = same;
	same = same;
	free(old); // not sole: same
	if (*s)
		same = strdup(s);
}

int main(int argc, char **argv)
{
	struct map m;
	struct buf *b = buf_new(32);
	struct node *t = mk(1, mk(2, NULL, mk(3, NULL, NULL)), NULL);
	if (!b)
		return 1;
	set_current("/tmp");
	set_current("/var/tmp");
	puts(current ? current : "?");
	memset(&m, 0, sizeof m);
	map_put(&m, "a", "1");
	map_put(&m, "b", "2");
	map_put(&m, "a", "3");
	map_free(&m);
	printf("%d %s\n", b->n, b->data);
	buf_free(b);
	printf("%d\n", t->kid->sib->key);
	destroy(t);
	start(1);
	park();
	start(2);
	park();
	begin(1);
	stop(argc);
	begin(2);
	stop(argc);
	printf("%d %d\n", backup ? *backup : 0, there ? *there : 0);
	ring_free(ring_new());
	set_same("a");
	set_same("b");
	split("a");
	split("b");
	puts(too);
	free(backup);
	backup = NULL;
	return 0;
}
