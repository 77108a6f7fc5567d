// Releases that would go wrong.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Copied as an argument, in registers.
struct a { char *s; int n; };

static char *last;

static void a_note(struct a v)
{
	last = v.s;
}

static void a_set(struct a *p, const char *s)
{
	free(p->s); // not sole: a is used as another struct, too
	p->s = strdup(s);
}

// Copied as a result.
struct b { char *s; int n; };

static struct b b_make(const char *s)
{
	struct b v;
	v.s = strdup(s);
	v.n = 0;
	return v;
}

static void b_set(struct b *p, const char *s)
{
	free(p->s); // not sole: b.s is copied with its struct
	p->s = strdup(s);
}

// Read by another thread.
static char *shown;

static void *show(void *arg)
{
	puts(shown);
	return arg;
}

static void set_shown(const char *s)
{
	free(shown); // not sole: shown may be read by another thread
	shown = strdup(s);
}

// With something in front.
typedef char *str;
struct c { str s; };

static str str_new(const char *s)
{
	char *p = malloc(strlen(s) + 9);
	if (!p)
		exit(1);
	strcpy(p + 8, s);
	return p + 8;
}

static void c_set(struct c *p, const char *s)
{
	free(p->s); // not sole: c.s may not be for free
	p->s = str_new(s);
}

// Remembered by the library.
struct d { char *s; };

static char *d_word(struct d *p)
{
	return strtok(p->s, " ");
}

static void d_set(struct d *p, const char *s)
{
	free(p->s); // not sole: strtok may remember what d.s points to
	p->s = strdup(s);
}

// Still in a variable, whose address the library has filled in.
struct e { char *s; };

static void e_set(struct e *p, const char *s)
{
	free(p->s); // not sole: e.s may still be used after this by way of line
	p->s = strdup(s);
}

static void e_read(struct e *p, FILE *f)
{
	char *line = NULL;
	size_t n = 0;
	if (getline(&line, &n, f) < 0)
		return;
	p->s = line;
	e_set(p, "x");
	puts(line);
}

// Used as another struct.
struct f { char *s; int n; };
struct g { char *t; long n; };

static void f_as_g(struct f *p)
{
	p->n = 1;
	((struct g *)p)->t = "literal";
}

static void f_set(struct f *p, const char *s)
{
	free(p->s); // not sole: f is used as another struct, too
	p->s = strdup(s);
}

// Copied as bytes.
struct h { char *s; int n; };

static void keep(void *to, const void *from, size_t n)
{
	memcpy(to, from, n);
}

static void h_keep(struct h *p, char *to)
{
	keep(to, p, sizeof *p);
}

static void h_set(struct h *p, const char *s)
{
	free(p->s); // not sole: h.s with its struct
	p->s = strdup(s);
}

// Elements that are moved.
struct i { char *s; int n; };

static void i_remove(struct i *list, int n, int at)
{
	memmove(&list[at], &list[at + 1], (n - at - 1) * sizeof *list);
}

static void i_set(struct i *list, int at, const char *s)
{
	free(list[at].s); // not sole: i.s is copied with its struct
	list[at].s = strdup(s);
}

// Another element.
static char *names[4];

static void set_name(int i, int k, const char *s)
{
	free(names[i]); // not sole: names still points to what is released
	names[k] = strdup(s);
}

// A caller up the stack has it.
struct j { char *s; };

static void j_set(struct j *p, const char *s)
{
	free(p->s); // not sole: j.s may still be used after this call by way of s
	p->s = strdup(s);
}

static void j_step(struct j *p)
{
	j_set(p, "y");
}

static int j_use(struct j *p)
{
	const char *s = p->s;
	j_step(p);
	return s ? s[0] : 0;
}

// Released in one function, and looked at in another.
struct k { char *s; int n; };

static void k_drop(struct k *p)
{
	free(p->s);
	p->n = 0;
}

static void k_set(struct k *p, const char *s)
{
	free(p->s); // not sole: k.s still points to what is released
	p->s = strdup(s);
}

// Atomic, as others look at it.
static char *_Atomic now;

static void set_now(const char *s)
{
	free(now); // not sole: others may change now at any time
	now = strdup(s);
}

static char *_Atomic next;

static void set_next(const char *s)
{
	free(__atomic_exchange_n((char **)&next, strdup(s), __ATOMIC_SEQ_CST));
	free(next); // not sole: next
	next = NULL;
}

int main(int argc, char **argv)
{
	struct a a = { 0 };
	struct b b = b_make("x");
	struct c c = { 0 };
	struct d d = { 0 };
	struct e e = { 0 };
	struct f f = { 0 };
	struct h h = { 0 };
	struct i list[3] = { 0 };
	struct j j = { 0 };
	struct k k = { 0 };
	char bytes[64];
	pthread_t t;

	a_set(&a, "x");
	a_note(a);
	a_set(&a, "y");
	puts(last);
	b_set(&b, "x");
	pthread_create(&t, NULL, show, NULL);
	set_shown("x");
	set_shown("y");
	c_set(&c, "x");
	c_set(&c, "y");
	d_set(&d, "x y");
	d_word(&d);
	d_set(&d, "z");
	puts(strtok(NULL, " "));
	e_read(&e, stdin);
	f_as_g(&f);
	f_set(&f, "x");
	h_set(&h, "x");
	h_keep(&h, bytes);
	h_set(&h, "y");
	i_set(list, 1, "x");
	i_remove(list, 3, 0);
	i_set(list, 1, "x");
	set_name(argc, 2, "x");
	set_name(2, 2, "x");
	set_name(argc, 2, "x");
	puts(names[2]);
	j_set(&j, "x");
	j_use(&j);
	k_set(&k, "x");
	k_drop(&k);
	k_set(&k, "x");
	set_now("x");
	set_next("x");
	return 0;
}
