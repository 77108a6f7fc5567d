// Fields that are not the only owners of what they point to.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct a { char *s; };
struct b { char *s; };
struct c { char *s; };
struct d { char *s; };
struct e { char *s; };
struct f { char *s; };
struct g { char *s; };
struct h { char *s; };
struct i { char *s; };
struct j { char *s; };
struct k { char *s; };
struct l { char *s; };

// Uninitialised on one path.
struct a *a_new(int n)
{
	struct a *p = malloc(sizeof *p);
	if (!p)
		return NULL;
	if (n)
		p->s = NULL;
	return p;
}

void a_set(struct a *p, const char *s)
{
	free(p->s); // not sole: a.s may not be set yet
	p->s = strdup(s);
}

// Copied with its struct.
void b_copy(struct b *to, const struct b *from)
{
	*to = *from;
}

void b_set(struct b *p, const char *s)
{
	free(p->s); // not sole: b.s is copied with its struct
	p->s = strdup(s);
}

// Given by callers who keep it.
void c_give(struct c *p, char *s)
{
	free(p->s); // not sole: c.s may be a string literal
	p->s = s;
}

// Stays after a release.
void d_clear(struct d *p)
{
	free(p->s);
}

void d_set(struct d *p, const char *s)
{
	free(p->s); // not sole: d.s still points to what is released
	p->s = strdup(s);
}

// A getter, and a caller who still has it.
char *e_get(struct e *p)
{
	return p->s;
}

void e_set(struct e *p, const char *s)
{
	free(p->s); // not sole: e.s may still be used after this call by way of old
	p->s = strdup(s);
}

int e_use(struct e *p)
{
	char *old = e_get(p);
	e_set(p, "new");
	return puts(old);
}

// The address is kept.
char **where;
void f_keep(struct f *p)
{
	where = &p->s;
}

void f_set(struct f *p, const char *s)
{
	free(p->s); // not sole: the address of f.s is kept
	p->s = strdup(s);
}

// One object in two.
void g_both(struct g *p, struct g *q, const char *s)
{
	char *t = strdup(s);
	p->s = t;
	q->s = t;
}

void g_set(struct g *p, const char *s)
{
	free(p->s); // not sole: one object may be in g.s twice
	p->s = strdup(s);
}

// Not memory of free.
void h_point(struct h *p, char *s)
{
	p->s = s + 1;
}

void h_set(struct h *p, const char *s)
{
	free(p->s); // not sole: it is not known what h.s is after this
	p->s = strdup(s);
}

// Filled by a library function.
int i_set(struct i *p, int n)
{
	free(p->s); // sole
	if (asprintf(&p->s, "%d", n) < 0) {
		p->s = NULL;
		return -1;
	}
	return 0;
}

// Set by a function that it is passed to.
static void j_init(struct j *p)
{
	p->s = NULL;
}

struct j *j_new(void)
{
	struct j *p = malloc(sizeof *p);
	if (!p)
		return NULL;
	j_init(p);
	return p;
}

void j_set(struct j *p, const char *s)
{
	free(p->s); // sole
	p->s = strdup(s);
}

// Grown.
int k_add(struct k *p, size_t n)
{
	char *t = realloc(p->s, n);
	if (!t)
		return -1;
	p->s = t;
	return 0;
}

void k_set(struct k *p, const char *s)
{
	free(p->s); // sole
	p->s = strdup(s);
}

// Not set again on one path.
int l_set(struct l *p, const char *s)
{
	free(p->s); // not sole: l.s still points to what is released
	if (!*s)
		return -1;
	p->s = strdup(s);
	return 0;
}

// The first field of a global has the address of the global.
struct m { struct m *first, **last; };
static struct m list;

void m_init(void)
{
	list.first = NULL;
	list.last = &list.first;
}

void m_set(void)
{
	free(list.first); // not sole: the address of m.first is kept
	list.first = calloc(1, sizeof *list.first);
}

// Of a global struct, by itself and by a function that is given it.
struct n { char *s; int k; };
static struct n conf;

static void n_count(struct n *p)
{
	p->k++;
}

void n_set(const char *s)
{
	free(conf.s); // sole
	conf.s = strdup(s);
	n_count(&conf);
}

int main(int argc, char **argv)
{
	struct a *a = a_new(argc);
	struct b b = {0}, b2 = {0};
	struct c c = {0};
	struct d d = {0};
	struct e e = {0};
	struct f f = {0};
	struct g g = {0}, g2 = {0};
	struct h h = {0};
	struct i i = {0};
	struct j *j = j_new();
	struct k k;
	struct l l = {0};
	k.s = NULL;
	m_init();
	m_set();
	n_set("x");
	n_set("y");
	a_set(a, "x");
	b_set(&b, "x");
	b_copy(&b, &b2);
	c_give(&c, "x");
	d_set(&d, "x");
	d_clear(&d);
	d_set(&d, "y");
	e_set(&e, "x");
	e_use(&e);
	f_keep(&f);
	f_set(&f, "x");
	g_both(&g, &g2, "x");
	g_set(&g, "y");
	h_point(&h, argv[0]);
	h_set(&h, "x");
	i_set(&i, 3);
	j_set(j, "x");
	k_add(&k, 10);
	k_set(&k, "x");
	l_set(&l, "x");
	l_set(&l, "y");
	return 0;
}
