// What each leak needs: comments at the losses say which functions its slice has, and which lines allocate.
#include <stdlib.h>
#include <string.h>

struct box { char *name; struct box *next; };
struct holder { void *data; };

static struct box *all;

static void *xmalloc(size_t n) {
	void *p = malloc(n);
	if (!p)
		abort();
	return p;
}

static size_t look(const char *s) { return strlen(s); }

static size_t look_through(const char *s) { return look(s) + 1; }

static struct box *make(const char *s) {
	struct box *b = xmalloc(sizeof *b);
	b->name = strdup(s);
	b->next = NULL;
	return b;
}

static void put(struct holder *h, void *p) { h->data = p; }

static void put_far(struct holder *h, void *p) { put(h, p); }

static void out(char **to) { *to = malloc(9); }

static void unrelated(char *s) { free(s); }

int wrapped(int n) {
	char *p = xmalloc(4);
	if (look_through(p) > 3)
		return -1; // SLICE wrapped xmalloc ALLOC 37
	unrelated(p);
	return n;
}

int made(int n) {
	struct box *b = make("x");
	if (n)
		return -1; // SLICE made make xmalloc ALLOC 22
	free(b->name);
	free(b);
	return 0;
}

void held(int n) {
	struct holder h;
	void *p = malloc(5);
	put_far(&h, p);
	if (n)
		return; // SLICE held put_far put ALLOC 55
	free(h.data);
}

int left(int n) {
	char *s;
	out(&s);
	if (n)
		return 1; // SLICE left out ALLOC 64
	free(s);
	return 0;
}

void sees(void) {
	for (struct box *b = all; b; b = b->next)
		look(b->name);
}

struct box *next(struct box *b) { return b->next; }

void renamed(struct box *b) {
	b->name = strdup("a");
	b->name = strdup("b"); // SLICE renamed made make sees next ALLOC 79
}
