// Memory that is released twice. Each bad_ function is one under AddressSanitizer, none of the ok_ functions is: see main.
// no-run: TestFreed runs it
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item {
	char *name;
	int refs;
	struct item *next;
};

extern int flag;

static void bad_straight(void)
{
	char *p = malloc(8); // alloc: straight
	if (!p)
		return;
	free(p);
	free(p); // double-free: straight "memory allocated by malloc and held by 'p' is released twice here"
}

static void bad_error_path(void)
{
	int rc = 0;
	char *p = strdup("x"); // alloc: error
	if (!p)
		return;
	if (puts(p) >= 0) {
		free(p);
		rc = -1;
		goto out;
	}
	puts("not reached");
out:
	if (rc)
		puts("failed");
	free(p); // double-free: error
}

// The second name of the object is a field.
static void bad_field(void)
{
	struct item it;
	it.name = strdup("x"); // alloc: field
	if (!it.name)
		return;
	char *n = it.name;
	free(n);
	free(it.name); // double-free: field
}

// Nobody here has made it, and still it is wrong.
static void twice(struct item *it) // alloc: given
{
	free(it->name);
	free(it);
	free(it); // double-free: given "memory held by 'it' is released twice here"
}

static void bad_given(void)
{
	struct item *it = calloc(1, sizeof *it);
	if (it)
		twice(it);
}

static void clear(struct item *it) { free(it->name); }

static void bad_by_callee(void)
{
	struct item it = {strdup("x"), 1, NULL};
	clear(&it);  // alloc: callee
	clear(&it); // double-free: callee
}

static void bad_then_callee(struct item *it)
{
	free(it->name); // alloc: then
	clear(it); // double-free: then "memory held by 'it->name'"
}

static void run_then_callee(void)
{
	struct item it = {strdup("x"), 1, NULL};
	bad_then_callee(&it);
}

// Takes the buffer when it returns 0.
static int consume(char *p, int n)
{
	if (n < 0)
		return -1;
	free(p);
	return 0;
}

static void bad_outcome(void)
{
	char *p = malloc(8); // alloc: outcome
	if (!p)
		return;
	if (consume(p, flag) == 0)
		puts("taken");
	else
		puts("not taken");
	free(p); // double-free: outcome
}

static void release(void *p)
{
	if (p)
		free(p);
}

static void bad_wrapper(void)
{
	char *p = malloc(8); // alloc: wrapper
	char *q = p;
	release(q);
	if (p != NULL)
		release(p); // double-free: wrapper
}

static void bad_realloc(void)
{
	char *p = malloc(8); // alloc: realloc
	if (!p)
		return;
	char *q = realloc(p, 1000000);
	if (!q) {
		free(p);
		return;
	}
	free(p); // double-free: realloc
	free(q);
}

static void ok_nulled(void)
{
	char *p = malloc(8);
	free(p);
	p = NULL;
	free(p);
}

static void clear_and_null(struct item *it)
{
	free(it->name);
	it->name = NULL;
}

static void ok_place_nulled(void)
{
	struct item it = {strdup("x"), 1, NULL};
	clear_and_null(&it);
	clear_and_null(&it);
}

static void unref(struct item *it)
{
	if (--it->refs == 0) {
		free(it->name);
		free(it);
	}
}

static void ok_references(void)
{
	struct item *it = calloc(1, sizeof *it);
	if (!it)
		return;
	it->refs = 2;
	unref(it);
	unref(it);
}

static void ok_list(void)
{
	struct item *head = NULL;
	for (int i = 0; i < 3; i++) {
		struct item *it = calloc(1, sizeof *it);
		if (!it)
			break;
		it->name = strdup("x");
		it->next = head;
		head = it;
	}
	while (head) {
		struct item *next = head->next;
		free(head->name);
		free(head);
		head = next;
	}
}

static void ok_outcome(void)
{
	char *p = malloc(8);
	if (!p)
		return;
	if (consume(p, flag) < 0)
		free(p);
}

static void ok_correlated(void)
{
	char *p = malloc(8);
	if (!p)
		return;
	if (flag)
		free(p);
	puts("between");
	if (!flag)
		free(p);
}

static void ok_realloc(void)
{
	char *p = malloc(8);
	if (!p)
		return;
	char *q = realloc(p, 100);
	if (!q)
		free(p);
	else
		free(q);
}

static void ok_made_anew(void)
{
	for (int i = 0; i < 2; i++) {
		char *p = malloc(8);
		free(p);
	}
}

// What is inside the struct is not from the heap.
struct text {
	char *s;
	char small[8];
};

static void text_free(struct text *t)
{
	if (t->s != t->small)
		free(t->s);
}

static void ok_small(void)
{
	struct text t;
	t.s = t.small;
	text_free(&t);
	text_free(&t);
	strcpy(t.s, "x");
}

// A tag tells which of the two it is, in a way that is not followed.
struct value {
	int *type;
	void *content;
};

static int is_text(struct value *v) { return v->type == NULL || *v->type == 1; }
static int is_item(struct value *v) { return v->type != NULL && *v->type == 2; }

static void value_free(struct value *v)
{
	if (is_text(v))
		free(v->content);
	if (is_item(v))
		clear(v->content);
}

static void ok_tagged(void)
{
	struct value v = {NULL, malloc(8)};
	value_free(&v);
}

int flag = 0;

static void (*const all[])(void) = {
	bad_straight, bad_error_path, bad_field, bad_given, bad_by_callee, run_then_callee, bad_outcome, bad_wrapper, bad_realloc, NULL,
	ok_nulled, ok_place_nulled, ok_references, ok_list, ok_outcome, ok_correlated, ok_realloc, ok_made_anew, ok_small, ok_tagged,
};

// Runs one of them, by its number; those after the gap must go well.
int main(int argc, char **argv)
{
	unsigned i = argc > 1 ? atoi(argv[1]) : 0;
	if (i < sizeof all / sizeof *all && all[i])
		all[i]();
	return 0;
}
